import { Button, Card, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { paths } from '../../app/paths.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { RoleRequestsPanel } from './RoleRequestsPanel.tsx';

export function UserManagementPage() {
  return (
    <>
      <PageHeader title="User Management">
        <Button component={Link} to={paths.createSuperadmin} variant="default">
          Create Superadmin Account
        </Button>
      </PageHeader>
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
