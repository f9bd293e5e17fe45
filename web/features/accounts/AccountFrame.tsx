import { Card, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageHeader } from '../../ui/PageHeader.tsx';

interface AccountFrameProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  /** Other ways from here, below the card. */
  footer?: ReactNode;
}

/** The card of a screen that needs no session. */
export function AccountFrame({ title, lead, children, footer }: AccountFrameProps) {
  return (
    <>
      <Card padding="xl">
        <PageHeader title={title} lead={lead} />
        {children}
      </Card>
      {footer ? (
        <Text size="sm" c="dimmed" component="div" mt="md" ta="center">
          {footer}
        </Text>
      ) : null}
    </>
  );
}
