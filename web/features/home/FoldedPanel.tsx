import { Box, Card, Text, Title, UnstyledButton } from '@mantine/core';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import classes from './FoldedPanel.module.css';
import { type FoldName, useFolds } from './use-folds.ts';

export interface Fold {
  name: FoldName;
  /** What the panel comes down to. It stands below the title. */
  figure: string;
}

interface FoldedPanelProps {
  title: string;
  fold: Fold;
  /** Stands above what is inside. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A panel that says its figure, and shows the rest when it is pressed. */
export function FoldedPanel({ title, fold: { name, figure }, aside, children }: FoldedPanelProps) {
  const [headingId, figureId, contentId] = [useId(), useId(), useId()];
  const { isOpen, toggle } = useFolds();
  const isUnfolded = isOpen(name);
  const Icon = isUnfolded ? ChevronDown : ChevronRight;
  return (
    <Card component="section" aria-labelledby={headingId} id={name} p={0}>
      <div className={classes.head}>
        <Box style={{ minWidth: 0 }}>
          <Title order={2} fz="md" id={headingId}>
            <UnstyledButton
              className={classes.button}
              aria-expanded={isUnfolded}
              aria-controls={isUnfolded ? contentId : undefined}
              aria-describedby={figureId}
              onClick={() => void toggle(name)}
            >
              {title}
            </UnstyledButton>
          </Title>
          <Text size="sm" c="dimmed" id={figureId}>
            {figure}
          </Text>
        </Box>
        <Icon size={18} aria-hidden className={classes.icon} />
      </div>
      {isUnfolded ? (
        <Box id={contentId} px="md" pb="md" pt={4}>
          {aside ? <Box mb="sm">{aside}</Box> : null}
          {children}
        </Box>
      ) : null}
    </Card>
  );
}
