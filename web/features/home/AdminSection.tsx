import { Card, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface AdminSectionProps {
  title: string;
  /** Set where the figures inside stand for nothing. */
  isNotLoaded?: boolean;
  children: ReactNode;
}

export function AdminSection({ title, isNotLoaded, children }: AdminSectionProps) {
  const titleId = useId();
  return (
    <Card component="section" aria-labelledby={titleId}>
      <Stack gap="md">
        <div>
          <Title order={2} id={titleId}>
            {title}
          </Title>
          {isNotLoaded ? (
            <Text size="sm" c="var(--status-danger)">
              Not loaded
            </Text>
          ) : null}
        </div>
        {children}
      </Stack>
    </Card>
  );
}
