import { Anchor, Button, Card, Checkbox, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { z } from 'zod';
import { listParticipantsWithoutCoach, type WaitingParticipant } from '#contract/coach-assignment.ts';
import { pagesFor } from '../../api/query-for.ts';
import { paths } from '../../app/paths.ts';
import { countedMatches } from '../../ui/counted.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { NextPageButton } from '../../ui/NextPageButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { AssignCoachBar } from './AssignCoachBar.tsx';
import { kindOf, nameOf } from './user-words.ts';

/** The chosen participants, each with the search that listed them. */
type Chosen = ReadonlyMap<string, { person: WaitingParticipant; search: string | undefined }>;

const namedAtMost = 3;
const Place = z.object({ search: z.coerce.string().max(200).optional().catch(undefined) });

/** CASN-01 to CASN-14 */
export function AssignParticipantsPage() {
  const { search } = Place.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const list = useInfiniteQuery({
    ...pagesFor(listParticipantsWithoutCoach, { query: { search } }),
    placeholderData: keepPreviousData,
  });
  const find = (text: string | undefined) =>
    void navigate({ to: paths.assignParticipants, search: { search: text }, replace: true, resetScroll: false });
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const listed = new Set(rows.map(({ id }) => id));
  // A participant who is gone from the search that listed them has a coach by now.
  const selected = [...chosen].filter(
    ([id, { search: by }]) => listed.has(id) || by !== search || list.isPlaceholderData,
  );
  const elsewhere = selected.filter(([id]) => !listed.has(id)).map(([, { person }]) => person);
  const selectedHere = selected.length - elsewhere.length;
  const isAll = rows.length > 0 && selectedHere === rows.length;
  const choose = (people: WaitingParticipant[], isChosen: boolean) => {
    const changed = new Map(chosen);
    for (const person of people) {
      if (isChosen) changed.set(person.id, { person, search });
      else changed.delete(person.id);
    }
    setChosen(changed);
  };

  return (
    <>
      <Anchor component={Link} to={paths.userManagement} size="sm" display="inline-block" py={4} mb="xs">
        <ArrowLeft size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> Back to User Management
      </Anchor>
      <PageHeader title="Assign Participants" lead="Participants who are enrolled and have no coach." />
      <Stack gap="md">
        <AssignCoachBar selected={selected.map(([id]) => id)} onAssigned={() => setChosen(new Map())} />
        <SearchField label="Search" placeholder="Name or email" value={search ?? ''} onSearch={find} maw={420} />
        {elsewhere.length > 0 ? (
          <Group gap="xs">
            <Text size="sm" role="status">
              Also selected, and not in the list below: {namesOf(elsewhere)}.
            </Text>
            <Button variant="default" size="sm" onClick={() => choose(elsewhere, false)}>
              Deselect them
            </Button>
          </Group>
        ) : null}
        <LoadedRows
          list={list}
          failure="Failed to load participants"
          loading={{ label: 'Loading participants', rows: 6 }}
          empty={<NobodyWaits search={search} onClear={() => find(undefined)} />}
        >
          {(_, first) => (
            <Stack gap="md">
              <Group gap="lg" mih={32}>
                <Checkbox
                  label={`Select all ${rows.length.toLocaleString('en-US')} listed`}
                  checked={isAll}
                  indeterminate={selectedHere > 0 && !isAll}
                  onChange={() => choose(rows, !isAll)}
                />
                <Text size="sm" c="dimmed" role="status">
                  {selectedHere.toLocaleString('en-US')} of {countedMatches(first.matching, 'participant')} selected
                </Text>
              </Group>
              <DataTable
                label="Participants without a coach"
                columns={columns}
                rows={rows}
                keyOf={({ id }) => id}
                selection={{ isChosen: ({ id }) => chosen.has(id), onChoose: choose, nameOf }}
              />
            </Stack>
          )}
        </LoadedRows>
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
          Nobody without a coach matches your search.
        </EmptyState>
      ) : (
        <EmptyState title="No enrolled participant is without a coach">
          Enrolled participants who have no coach are listed here.
        </EmptyState>
      )}
    </Card>
  );
}

function namesOf(people: WaitingParticipant[]): string {
  const more = people.length - namedAtMost;
  return (
    people.slice(0, namedAtMost).map(nameOf).join(', ') + (more > 0 ? ` and ${more.toLocaleString('en-US')} more` : '')
  );
}

const columns: Column<WaitingParticipant>[] = [
  {
    key: 'name',
    label: 'Participant',
    onPhone: 'first',
    cell: (person) => (
      <Stack gap={2}>
        <Text size="sm" fw={600}>
          {nameOf(person)}
        </Text>
        <Text size="sm" c="dimmed" truncate title={person.email}>
          {person.email}
        </Text>
      </Stack>
    ),
  },
  {
    key: 'cohort',
    label: 'Cohort',
    onPhone: 'secondRest',
    cellOnPhone: (person) => (
      <Text size="sm">
        {person.cohortName ?? 'No cohort'} · {kindOf(person)}
      </Text>
    ),
    cell: ({ cohortName }) => cohortName ?? 'No cohort',
  },
  { key: 'track', label: 'Program type', cell: kindOf },
];
