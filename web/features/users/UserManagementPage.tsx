import { Card, Stack } from '@mantine/core';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { RoleRequestsPanel } from './RoleRequestsPanel.tsx';

export function UserManagementPage() {
  return (
    <>
      <PageHeader title="User Management" />
      <Stack gap="lg">
        <RoleRequestsPanel />
        <Card>
          <EmptyState title="Coming in this build">
            The people of the programme will be listed and edited here.
          </EmptyState>
        </Card>
      </Stack>
    </>
  );
}
