import { Card, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface HomePanelProps {
  title: string;
  id?: string;
  /** Stands beside the title. */
  aside?: ReactNode;
  /** Set where the figures inside stand for nothing. */
  isNotLoaded?: boolean;
  children: ReactNode;
}

/** One question of a dashboard, answered under its own heading. */
export function HomePanel({ title, id, aside, isNotLoaded, children }: HomePanelProps) {
  const headingId = useId();
  return (
    <Card component="section" aria-labelledby={headingId} id={id}>
      <Group justify="space-between" mb="md" gap="sm">
        <div>
          <Title order={2} id={headingId}>
            {title}
          </Title>
          {isNotLoaded ? (
            <Text size="sm" c="var(--status-danger)">
              Not loaded
            </Text>
          ) : null}
        </div>
        {aside}
      </Group>
      {children}
    </Card>
  );
}
