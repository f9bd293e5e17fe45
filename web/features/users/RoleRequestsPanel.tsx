import { Button, Card, Group, Stack, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listRoleRequests, type RoleRequest } from '#contract/users.ts';
import { pagesFor } from '../../api/query-for.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { ReadFailure } from '../../ui/Loaded.tsx';
import { NextPageButton } from '../../ui/NextPageButton.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { TwoLines } from '../../ui/TwoLines.tsx';
import { type Decision, RoleDecision } from './RoleDecision.tsx';
import { roleNames } from './user-words.ts';

/** People who asked for the role of a coach or admin when they registered. The longest waiting come first (AUTH-17). */
export function RoleRequestsPanel() {
  const [decision, setDecision] = useState<Decision | null>(null);
  const requests = useInfiniteQuery(pagesFor(listRoleRequests, { query: {} }));
  const rows = requests.data?.pages.flatMap((page) => page.rows) ?? [];
  // No request waits, as far as anybody knows. The admin came for the list below.
  if (rows.length === 0 && !requests.isError && !decision) return null;
  return (
    <Card component="section" aria-labelledby="role-requests">
      <Stack gap="md">
        <Title order={2} id="role-requests">
          Role requests
        </Title>
        <ReadFailure read={requests} failure="The role requests could not be loaded" />
        {rows.length > 0 ? (
          <DataTable
            label="Role requests, longest waiting first"
            columns={columnsFor(setDecision)}
            rows={rows}
            keyOf={({ id }) => id}
            minWidth={860}
          />
        ) : null}
        <NextPageButton list={requests}>Show more requests</NextPageButton>
      </Stack>
      <RoleDecision decision={decision} onClose={() => setDecision(null)} />
    </Card>
  );
}

function columnsFor(decide: (decision: Decision) => void): Column<RoleRequest>[] {
  return [
    {
      key: 'person',
      label: 'Person',
      onPhone: 'first',
      cell: ({ firstName, lastName, email }) => <TwoLines first={<b>{`${firstName} ${lastName}`}</b>} second={email} />,
    },
    {
      key: 'role',
      label: 'Asks for',
      width: 124,
      onPhone: 'secondRest',
      cellOnPhone: ({ requestedRole, role }) => (
        <TwoLines first={`Asks for ${roleNames[requestedRole]}`} second={`Now ${roleNames[role]}`} />
      ),
      cell: ({ requestedRole, role }) => (
        <TwoLines first={roleNames[requestedRole]} second={`Now ${roleNames[role]}`} />
      ),
    },
    {
      key: 'email',
      label: 'Email',
      width: 140,
      onPhone: 'firstEnd',
      cell: ({ isEmailConfirmed }) => (
        <StatusBadge tone={isEmailConfirmed ? 'success' : 'warning'}>
          {isEmailConfirmed ? 'Confirmed' : 'Not confirmed yet'}
        </StatusBadge>
      ),
    },
    {
      key: 'at',
      label: 'Registered',
      width: 190,
      cell: ({ requestedAt }) => <TwoLines first={<DateTime value={requestedAt} />} />,
    },
    {
      key: 'decision',
      label: 'Decision',
      width: 192,
      onPhone: 'below',
      cell: (request) => {
        const name = `${request.firstName} ${request.lastName}`;
        return (
          <Group gap="xs" wrap="nowrap">
            <Button
              size="compact-sm"
              flex="none"
              disabled={!request.can.approve}
              aria-label={`Approve the request of ${name}`}
              onClick={() => decide({ request, isApproval: true })}
            >
              Approve
            </Button>
            <Button
              size="compact-sm"
              flex="none"
              variant="default"
              aria-label={`Decline the request of ${name}`}
              onClick={() => decide({ request, isApproval: false })}
            >
              Decline
            </Button>
          </Group>
        );
      },
    },
  ];
}
