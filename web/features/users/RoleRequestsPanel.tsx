import { Box, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
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
import wrapping from '../../ui/wrapping.module.css';
import { type Decision, RoleDecision } from './RoleDecision.tsx';

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
      width: '30%',
      onPhone: 'first',
      cellOnPhone: ({ firstName, lastName, email }) => (
        <TwoLines first={<b>{`${firstName} ${lastName}`}</b>} second={email} />
      ),
      cell: ({ firstName, lastName, email }) => (
        <Box>
          <Text fw={600}>
            {firstName} {lastName}
          </Text>
          <Text size="sm" c="dimmed">
            {email}
          </Text>
        </Box>
      ),
    },
    {
      key: 'role',
      label: 'Asks for',
      onPhone: 'secondRest',
      cellOnPhone: ({ requestedRole, role }) => (
        <TwoLines first={`Asks for ${requestedRole}`} second={`Is now ${role}`} />
      ),
      cell: ({ requestedRole }) => <span className={wrapping.wholeWords}>{requestedRole}</span>,
    },
    { key: 'now', label: 'Is now', cell: ({ role }) => <span className={wrapping.wholeWords}>{role}</span> },
    {
      key: 'email',
      label: 'Email',
      onPhone: 'firstEnd',
      cell: ({ isEmailConfirmed }) => (
        <StatusBadge tone={isEmailConfirmed ? 'success' : 'warning'}>
          {isEmailConfirmed ? 'Confirmed' : 'Not confirmed yet'}
        </StatusBadge>
      ),
    },
    { key: 'at', label: 'Registered', cell: ({ requestedAt }) => <DateTime value={requestedAt} /> },
    {
      key: 'decision',
      label: 'Decision',
      onPhone: 'below',
      cell: (request) => {
        const name = `${request.firstName} ${request.lastName}`;
        return (
          <Group gap="xs" wrap="nowrap">
            <Button
              size="xs"
              disabled={!request.can.approve}
              aria-label={`Approve the request of ${name}`}
              onClick={() => decide({ request, isApproval: true })}
            >
              Approve
            </Button>
            <Button
              size="xs"
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
