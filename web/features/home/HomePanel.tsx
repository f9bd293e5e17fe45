import { Card, Group, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { type Missing, NotLoaded } from '../../ui/NotLoaded.tsx';

interface HomePanelProps {
  title: string;
  id?: string;
  /** Stands beside the title. */
  aside?: ReactNode;
  /** Set if the figures inside have no meaning. */
  missing?: Missing | undefined;
  children: ReactNode;
}

/** One question of a dashboard, answered under its own heading. */
export function HomePanel({ title, id, aside, missing, children }: HomePanelProps) {
  const headingId = useId();
  return (
    <Card component="section" aria-labelledby={headingId} id={id}>
      <Group justify="space-between" mb="md" gap="sm">
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
