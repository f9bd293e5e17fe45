import { Button, Card, Group, Stack, Title, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { listRoleRequests, type RoleRequest } from '#contract/users.ts';
import { pagesFor } from '../../api/query-for.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { useIsPhone } from '../../ui/FilterBar.tsx';
import { ReadFailure } from '../../ui/Loaded.tsx';
import { NextPageButton } from '../../ui/NextPageButton.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { TwoLines } from '../../ui/TwoLines.tsx';
import { type Decision, RoleDecision } from './RoleDecision.tsx';
import { roleNames } from './user-words.ts';

/**
 * People who asked for the role of a coach or admin when they registered. The longest waiting come first (AUTH-17). On a
 * phone the panel opens on demand, because most admins come for the list below.
 */
export function RoleRequestsPanel() {
  const [decision, setDecision] = useState<Decision | null>(null);
  const [isOpened, setOpened] = useState(false);
  const isPhone = useIsPhone();
  const requests = useInfiniteQuery(pagesFor(listRoleRequests, { query: {} }));
  const rows = requests.data?.pages.flatMap((page) => page.rows) ?? [];
  // No request waits, as far as anybody knows. The admin came for the list below.
  if (rows.length === 0 && !requests.isError && !decision) return null;
  const isOpen = !isPhone || isOpened || requests.isError;
  return (
    <Card component="section" aria-labelledby="role-requests" py={isOpen ? undefined : 0}>
      <Stack gap="md">
        <Title order={2} id="role-requests">
          {isPhone ? (
            <PanelButton isOpen={isOpen} onClick={() => setOpened(!isOpened)}>
              {requests.data ? `Role requests (${rows.length}${requests.hasNextPage ? '+' : ''})` : 'Role requests'}
            </PanelButton>
          ) : (
            'Role requests'
          )}
        </Title>
        {isOpen ? <ReadFailure read={requests} failure="The role requests could not be loaded" /> : null}
        {isOpen && rows.length > 0 ? (
          <DataTable
            label="Role requests, longest waiting first"
            columns={columnsFor(setDecision)}
            rows={rows}
            keyOf={({ id }) => id}
            minWidth={860}
          />
        ) : null}
        {isOpen ? <NextPageButton list={requests}>Show more requests</NextPageButton> : null}
      </Stack>
      <RoleDecision decision={decision} onClose={() => setDecision(null)} />
    </Card>
  );
}

function PanelButton({ isOpen, onClick, children }: { isOpen: boolean; onClick: () => void; children: string }) {
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <UnstyledButton onClick={onClick} aria-expanded={isOpen} fz="md" fw={650} w="100%">
      <Group justify="space-between">
        {children}
        <Chevron size={18} aria-hidden />
      </Group>
    </UnstyledButton>
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
