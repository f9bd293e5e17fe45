import { Card } from '@mantine/core';
import { PageHeader } from './PageHeader.tsx';
import { EmptyState } from './states.tsx';

/** Stands at the place of a screen that is still being built. */
export function ComingPage({ title, children }: { title: string; children: string }) {
  return (
    <>
      <PageHeader title={title} />
      <Card>
        <EmptyState title="Coming in this build">{children}</EmptyState>
      </Card>
    </>
  );
}
