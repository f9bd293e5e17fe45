import { Card, Group, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface HomePanelProps {
  title: string;
  id?: string;
  /** Stands beside the title. */
  aside?: ReactNode;
  children: ReactNode;
}

/** One question of a dashboard, answered under its own heading. */
export function HomePanel({ title, id, aside, children }: HomePanelProps) {
  const headingId = useId();
  return (
    <Card component="section" aria-labelledby={headingId} id={id}>
      <Group justify="space-between" mb="md" gap="sm">
        <Title order={2} id={headingId}>
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </Card>
  );
}
