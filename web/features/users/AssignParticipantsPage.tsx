import { Anchor, Button, Card, Checkbox, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { z } from 'zod';
import { listParticipantsWithoutCoach, type WaitingParticipant } from '#contract/coach-assignment.ts';
import { messageOf } from '../../api/api-error.ts';
import { pagesFor } from '../../api/query-for.ts';
import { paths } from '../../app/paths.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { NextPageButton } from '../../ui/NextPageButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states.tsx';
import { AssignCoachBar } from './AssignCoachBar.tsx';
import { counted, nameOf, noTrack, trackNames } from './user-words.ts';

const Place = z.object({ search: z.coerce.string().max(200).optional().catch(undefined) });

/** CASN-01 to CASN-14 */
export function AssignParticipantsPage() {
  const { search } = Place.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const list = useInfiniteQuery({
    ...pagesFor(listParticipantsWithoutCoach, { query: { search } }),
    placeholderData: keepPreviousData,
  });
  const find = (text: string | undefined) =>
    void navigate({ to: paths.assignParticipants, search: { search: text }, replace: true, resetScroll: false });
  const [first] = list.data?.pages ?? [];
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  // Who is not listed any more has a coach by now.
  const selected = rows.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  const isAll = rows.length > 0 && selected.length === rows.length;
  const choose = (id: string, isChosen: boolean) =>
    setChosen(isChosen ? new Set([...chosen, id]) : new Set([...chosen].filter((other) => other !== id)));

  return (
    <>
      <Anchor component={Link} to={paths.userManagement} size="sm" display="inline-block" py={4} mb="xs">
        <ArrowLeft size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> Back to User Management
      </Anchor>
      <PageHeader title="Assign Participants" lead="Participants who are enrolled and have no coach." />
      <Stack gap="md">
        <AssignCoachBar selected={selected} onAssigned={() => setChosen(new Set())} />
        <SearchField label="Search" placeholder="Name or email" value={search ?? ''} onSearch={find} maw={420} />
        {list.isError ? (
          <ErrorState
            title="Failed to load participants"
            message={messageOf(list.error)}
            onRetry={() => void list.refetch()}
            isRetrying={list.isFetching}
          />
        ) : null}
        {list.isPending ? <LoadingState label="Loading participants" rows={6} /> : null}
        {first && rows.length === 0 ? <NobodyWaits search={search} onClear={() => find(undefined)} /> : null}
        {first && rows.length > 0 ? (
          <>
            <Group gap="lg" mih={32}>
              <Checkbox
                label={`Select all ${rows.length} listed`}
                checked={isAll}
                indeterminate={selected.length > 0 && !isAll}
                onChange={() => setChosen(isAll ? new Set() : new Set(rows.map(({ id }) => id)))}
              />
              <Text size="sm" c="dimmed" role="status">
                {selected.length} of {counted(first.matching, 'participant')} selected
              </Text>
            </Group>
            <DataTable
              label="Participants without a coach"
              columns={columnsFor(chosen, choose)}
              rows={rows}
              keyOf={({ id }) => id}
            />
          </>
        ) : null}
        <NextPageButton list={list}>Show more participants</NextPageButton>
      </Stack>
    </>
  );
}

function NobodyWaits({ search, onClear }: { search: string | undefined; onClear: () => void }) {
  return (
    <Card>
      {search ? (
        <EmptyState
          title="No participants found"
          action={
            <Button variant="default" onClick={onClear}>
              Clear search
            </Button>
          }
        >
          Nobody without a coach matches what you search for.
        </EmptyState>
      ) : (
        <EmptyState title="Everybody has a coach">
          Participants who are enrolled in a course without a coach are listed here.
        </EmptyState>
      )}
    </Card>
  );
}

function columnsFor(
  chosen: ReadonlySet<string>,
  choose: (id: string, isChosen: boolean) => void,
): Column<WaitingParticipant>[] {
  return [
    {
      key: 'chosen',
      label: 'Select',
      width: 80,
      cell: (person) => (
        <Checkbox
          aria-label={`Select ${nameOf(person)}`}
          checked={chosen.has(person.id)}
          onChange={({ currentTarget }) => choose(person.id, currentTarget.checked)}
        />
      ),
    },
    {
      key: 'name',
      label: 'Participant',
      cell: (person) => (
        <Stack gap={2} style={{ overflowWrap: 'anywhere' }}>
          <Text size="sm" fw={600}>
            {nameOf(person)}
          </Text>
          <Text size="sm" c="dimmed">
            {person.email}
          </Text>
        </Stack>
      ),
    },
    { key: 'cohort', label: 'Cohort', cell: ({ cohortName }) => cohortName ?? 'No cohort' },
    { key: 'track', label: 'Track type', cell: ({ trackType }) => (trackType ? trackNames[trackType] : noTrack) },
  ];
}
