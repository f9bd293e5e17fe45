import { Button, Card, Group, Select, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type Cohort,
  type CohortMember,
  listCohortMembers,
  MembershipStatus,
  takeMemberBack,
} from '#contract/cohorts.ts';
import { pagesFor } from '../../../api/query-for.ts';
import { useAction } from '../../../api/use-action.ts';
import { countedMatches } from '../../../ui/counted.ts';
import { type Column, DataTable } from '../../../ui/DataTable.tsx';
import { formatDay } from '../../../ui/dates.ts';
import { countOn, FilterBar } from '../../../ui/FilterBar.tsx';
import { LoadedRows } from '../../../ui/Loaded.tsx';
import { SearchField } from '../../../ui/SearchField.tsx';
import { ShowMore } from '../../../ui/ShowMore.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { TwoLines } from '../../../ui/TwoLines.tsx';
import { kindName, membershipStatuses, optionsOf } from '../setup-words.ts';
import { Name } from './SetupCells.tsx';
import { WithdrawDialog } from './WithdrawDialog.tsx';

const all = 'all';
const statusOptions = optionsOf({ active: 'Active', completed: 'Completed', withdrawn: 'Withdrawn' });

/** ADMIN-21 */
export function CohortMembers({ cohort }: { cohort: Cohort }) {
  const [search, setSearch] = useState<string | undefined>();
  const [status, setStatus] = useState<MembershipStatus | undefined>();
  const [leaving, setLeaving] = useState<CohortMember | null>(null);
  const list = useInfiniteQuery({
    ...pagesFor(listCohortMembers, { params: { id: cohort.id }, query: { search, status } }),
    placeholderData: keepPreviousData,
  });
  const back = useAction(takeMemberBack, {
    success: ({ firstName, lastName }) => ({ title: 'Member Active Again', message: `${firstName} ${lastName}` }),
    failureTitle: 'The member could not be taken back',
  });
  const matching = list.data?.pages[0]?.matching;
  return (
    <Stack component="section" gap="md" aria-labelledby="members">
      <Group gap="sm" align="flex-end">
        <Title order={2} id="members" mr="auto">
          Members
        </Title>
        {matching === undefined ? null : (
          <Text size="sm" c="dimmed" role="status" pb={8}>
            {countedMatches(matching, 'person', 'people')}
          </Text>
        )}
        <FilterBar
          label="Filter the members"
          always={
            <SearchField
              label="Search members"
              placeholder="Name or email"
              value={search ?? ''}
              onSearch={setSearch}
              flex="0 1 240px"
            />
          }
          on={countOn(status)}
        >
          <Select
            label="Membership"
            data={[{ value: all, label: 'All' }, ...statusOptions]}
            value={status ?? all}
            onChange={(chosen) => setStatus(MembershipStatus.safeParse(chosen).data)}
            allowDeselect={false}
            w={{ base: '100%', xs: 150 }}
          />
        </FilterBar>
      </Group>
      <LoadedRows
        list={list}
        failure="The members could not be loaded"
        loading={{ label: 'Loading the members', rows: 4 }}
        empty={
          <Card>
            {search || status ? (
              <EmptyState title="Nobody found">Try another search or membership.</EmptyState>
            ) : (
              <EmptyState title="Nobody yet">
                Enroll people in User Management, on the admin dashboard or with a file in Bulk User Creation.
              </EmptyState>
            )}
          </Card>
        }
      >
        {(rows) => (
          <DataTable
            label="Members of the cohort"
            columns={columnsFor(cohort, setLeaving, (member) =>
              back.run({ params: { id: cohort.id, participantId: member.participantId } }),
            )}
            rows={rows}
            keyOf={({ participantId }) => participantId}
            minWidth={920}
          />
        )}
      </LoadedRows>
      {list.hasNextPage ? (
        <ShowMore isRunning={list.isFetching} hasFailed={list.isError} onMore={() => void list.fetchNextPage()} />
      ) : null}
      {leaving ? <WithdrawDialog cohort={cohort} member={leaving} onClose={() => setLeaving(null)} /> : null}
    </Stack>
  );
}

function columnsFor(
  cohort: Cohort,
  onWithdraw: (member: CohortMember) => void,
  onTakeBack: (member: CohortMember) => void,
): Column<CohortMember>[] {
  return [
    {
      key: 'name',
      label: 'Name',
      onPhone: 'first',
      cell: ({ firstName, lastName, email }) => (
        <TwoLines first={<Name>{`${firstName} ${lastName}`}</Name>} second={email} />
      ),
    },
    {
      key: 'role',
      label: 'Role and track',
      width: 190,
      onPhone: 'secondRest',
      cellOnPhone: (member) => <TwoLines first={roleOf(cohort, member)} second={coachOf(member)} />,
      cell: (member) => <TwoLines first={roleOf(cohort, member)} />,
    },
    { key: 'coach', label: 'Coach', width: 176, cell: (member) => <TwoLines first={coachOf(member)} /> },
    {
      key: 'membership',
      label: 'Membership',
      width: 250,
      onPhone: 'firstEnd',
      cellOnPhone: ({ status }) => <Membership status={status} />,
      cell: ({ status, enrolledAt, endedAt }) => (
        <TwoLines
          first={<Membership status={status} />}
          second={`${formatDay(enrolledAt, { withYear: true })}${endedAt ? ` to ${formatDay(endedAt, { withYear: true })}` : ''}`}
        />
      ),
    },
    {
      key: 'actions',
      label: 'Actions',
      width: 112,
      onPhone: 'secondEnd',
      cell: (member) => <MemberActions member={member} onWithdraw={onWithdraw} onTakeBack={onTakeBack} />,
    },
  ];
}

function roleOf(cohort: Cohort, { role, trackType }: CohortMember): string {
  const name = role.replace(/^./, (first) => first.toUpperCase());
  return trackType ? `${name}, ${kindName(cohort, trackType)}` : name;
}

function coachOf({ coaches }: CohortMember): string {
  return coaches.join(', ') || 'No coach';
}

function Membership({ status }: Pick<CohortMember, 'status'>) {
  return <StatusBadge tone={membershipStatuses[status].tone}>{membershipStatuses[status].word}</StatusBadge>;
}

interface MemberActionsProps {
  member: CohortMember;
  onWithdraw: (member: CohortMember) => void;
  onTakeBack: (member: CohortMember) => void;
}

function MemberActions({ member, onWithdraw, onTakeBack }: MemberActionsProps) {
  const name = `${member.firstName} ${member.lastName}`;
  if (member.status === 'active') {
    return (
      <Button variant="default" size="compact-sm" aria-label={`Withdraw ${name}`} onClick={() => onWithdraw(member)}>
        Withdraw
      </Button>
    );
  }
  if (member.status !== 'withdrawn') return null;
  return (
    <Button variant="default" size="compact-sm" aria-label={`Take ${name} back`} onClick={() => onTakeBack(member)}>
      Take back
    </Button>
  );
}
