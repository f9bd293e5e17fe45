import { Card, Group, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { type Missing, NotLoaded } from '../../ui/NotLoaded.tsx';
import { type Fold, FoldedPanel } from './FoldedPanel.tsx';

interface HomePanelProps {
  title: string;
  id?: string;
  /** Stands beside the title. */
  aside?: ReactNode;
  /** Set if the figures inside have no meaning. */
  missing?: Missing | undefined;
  /** Set if the panel is folded until somebody opens it. */
  fold?: Fold | null;
  children: ReactNode;
}

/** A phone has less room for it. */
export const panelPadding = { base: 'md', sm: 'lg' };

/** One question of a dashboard, answered under its own heading. */
export function HomePanel({ title, id, aside, missing, fold, children }: HomePanelProps) {
  const headingId = useId();
  if (fold) {
    return (
      <FoldedPanel title={title} aside={aside} fold={fold}>
        {children}
      </FoldedPanel>
    );
  }
  return (
    <Card component="section" aria-labelledby={headingId} id={id} p={panelPadding}>
      <Group justify="space-between" mb={{ base: 'xs', sm: 'md' }} gap="sm">
        <div>
          <Title order={2} id={headingId}>
            {title}
          </Title>
          {missing ? <NotLoaded label={title} missing={missing} /> : null}
        </div>
        {aside}
      </Group>
      {children}
    </Card>
  );
}
