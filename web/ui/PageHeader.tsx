import { Box, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePageTitle } from './page-title.ts';

interface PageHeaderProps {
  title: string;
  /** One sentence under the title. */
  lead?: ReactNode;
  /** The screen's actions. The primary one is last. */
  children?: ReactNode;
}

/** The one h1 of a page. It sets the browser's title too. */
export function PageHeader({ title, lead, children }: PageHeaderProps) {
  usePageTitle(title);
  return (
    <Group justify="space-between" align="flex-end" gap="md" mb={{ base: 'md', sm: 'lg' }}>
      <Box style={{ minWidth: 0 }}>
        <Title order={1}>{title}</Title>
        {lead ? (
          <Text c="dimmed" mt={4} component="div">
            {lead}
          </Text>
        ) : null}
      </Box>
      {children ? <Group gap="sm">{children}</Group> : null}
    </Group>
  );
}
