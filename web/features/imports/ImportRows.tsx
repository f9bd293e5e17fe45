import { Anchor, Button, Card, Group, Select, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { z } from 'zod';
import {
  type ImportRow,
  ImportRowState,
  invitableStates,
  listImportRows,
  resendImportInvitations,
} from '#contract/import-results.ts';
import { queryFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { paths } from '../../app/paths.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { countOn, FilterBar } from '../../ui/FilterBar.tsx';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { TwoLines } from '../../ui/TwoLines.tsx';
import type { ImportDetail } from './error-report.ts';
import { InFull } from './InFull.tsx';
import { cursorsOf, type ImportPlace } from './import-place.ts';

type Row = z.output<typeof ImportRow>;

/** Names the state of a row, or of its person's invitation. */
const rowStates: Record<ImportRowState, { label: string; tone: Tone }> = {
  waiting: { label: 'Waiting', tone: 'info' },
  failed: { label: 'Failed', tone: 'danger' },
  not_delivered: { label: 'Not delivered', tone: 'danger' },
  expired: { label: 'Invitation expired', tone: 'warning' },
  sent: { label: 'Invitation sent', tone: 'info' },
  accepted: { label: 'Accepted', tone: 'success' },
  undone: { label: 'Undone', tone: 'neutral' },
  deleted: { label: 'Account deleted', tone: 'neutral' },
};

interface ImportRowsProps {
  upload: ImportDetail;
  place: ImportPlace;
  onChange: (changes: Partial<ImportPlace>) => void;
}

/** Shows every row of an upload with its result, a page at a time. */
export function ImportRows({ upload, place, onChange }: ImportRowsProps) {
  const { id, rowsByState, totalRecords } = upload;
  const cursors = cursorsOf(place);
  const list = useQuery({
    ...queryFor(listImportRows, {
      params: { id },
      query: { state: place.state, search: place.search, cursor: cursors.at(-1) },
    }),
    placeholderData: keepPreviousData,
  });
  const resend = useAction(resendImportInvitations, {
    success: () => ({ title: 'Invitation Sent', message: 'The earlier link stops working.' }),
    failureTitle: 'Invitation Not Sent',
  });
  const nextCursor = list.data?.nextCursor ?? null;
  const isFiltered = place.state !== undefined || Boolean(place.search);
  return (
    <Card component="section" aria-labelledby="import-rows">
      <Stack gap="md">
        <Title order={2} id="import-rows">
          Rows and invitations
        </Title>
        <FilterBar
          label="Filter the rows"
          always={
            <SearchField
              label="Search"
              placeholder="Name or email"
              value={place.search ?? ''}
              onSearch={(search) => onChange({ search })}
              flex="1 1 160px"
              maw={{ sm: 360 }}
            />
          }
          on={countOn(place.state)}
        >
          <Select
            label="Result"
            w={240}
            data={[
              { value: 'all', label: `All ${totalRecords.toLocaleString('en-US')}` },
              ...rowsByState.map(({ state, rows: count }) => ({
                value: state,
                label: `${rowStates[state].label} (${count.toLocaleString('en-US')})`,
              })),
            ]}
            value={place.state ?? 'all'}
            onChange={(state) => onChange({ state: ImportRowState.safeParse(state).data })}
            allowDeselect={false}
          />
        </FilterBar>
        <LoadedRows
          list={list}
          failure="The rows could not be loaded"
          loading={{ label: 'Loading the rows', rows: 6 }}
          empty={
            <EmptyState
              title={isFiltered ? 'No rows match' : 'No rows on this page'}
              action={
                <Button variant="default" onClick={() => onChange({ state: undefined, search: undefined })}>
                  Show all rows
                </Button>
              }
            />
          }
        >
          {(rows) => (
            <DataTable
              label={`Rows of ${upload.filename}`}
              columns={columnsFor(resend.isRunning, (row) => resend.run({ params: { id }, body: { rows: [row] } }))}
              rows={rows}
              keyOf={({ row }) => row.toString()}
              minWidth={920}
            />
          )}
        </LoadedRows>
        {cursors.length > 0 || nextCursor !== null ? (
          <Group gap="sm" component="nav" aria-label="Pages of rows">
            <Button
              variant="default"
              disabled={cursors.length === 0}
              onClick={() => onChange({ after: cursors.slice(0, -1).join(',') || undefined })}
            >
              Previous
            </Button>
            <Button
              variant="default"
              disabled={nextCursor === null || list.isPlaceholderData}
              onClick={() => onChange({ after: [...cursors, nextCursor].join(',') })}
            >
              Next
            </Button>
            <Text size="sm" c="dimmed">
              Page {cursors.length + 1}
            </Text>
          </Group>
        ) : null}
      </Stack>
    </Card>
  );
}

function PersonLink({ id, name }: { id: string; name: string }) {
  return (
    <Anchor component={Link} to={paths.person(id)} fw={700} c="inherit">
      {name}
    </Anchor>
  );
}

function columnsFor(isSending: boolean, resend: (row: number) => void): Column<Row>[] {
  const sendAgain = ({ row, email }: Row) => (
    <Button
      variant="default"
      size="compact-sm"
      disabled={isSending}
      onClick={() => resend(row)}
      aria-label={`Send again the invitation of ${email}`}
    >
      Send again
    </Button>
  );
  return [
    { key: 'row', label: 'Row', isNumber: true, width: 56, cell: ({ fileRow }) => fileRow },
    {
      key: 'person',
      label: 'Person',
      onPhone: 'first',
      cell: ({ userId, state, firstName, lastName, email }) => {
        const name = `${firstName} ${lastName}`.trim();
        const isThere = userId !== null && state !== 'deleted' && state !== 'undone';
        if (state === 'failed') {
          return (
            <>
              {name ? <InFull isStrong>{name}</InFull> : null}
              <InFull>{email || 'No email'}</InFull>
            </>
          );
        }
        return name ? (
          <TwoLines
            first={isThere ? <PersonLink id={userId} name={name} /> : <b>{name}</b>}
            second={email || 'No email'}
          />
        ) : (
          <TwoLines first={email || 'No email'} />
        );
      },
    },
    { key: 'role', label: 'Role', width: 100, cell: ({ role }) => role ?? '–' },
    {
      key: 'result',
      label: 'Result',
      width: 160,
      onPhone: 'second',
      cell: ({ state }) => <State of={state} />,
      cellOnPhone: ({ state }) => (isInvitable(state) ? <State of={state} /> : null),
    },
    {
      key: 'invitation',
      label: 'Invitation or reason',
      width: 262,
      onPhone: 'below',
      cell: ({ error, invitation }) => (error ? <InFull>{error}</InFull> : <InvitationDates invitation={invitation} />),
      cellOnPhone: ({ error }) => (error ? <InFull>{error}</InFull> : null),
    },
    {
      key: 'act',
      label: 'Action',
      width: 128,
      onPhone: 'firstEnd',
      cell: (row) => (isInvitable(row.state) ? sendAgain(row) : '–'),
      cellOnPhone: (row) => (isInvitable(row.state) ? sendAgain(row) : <State of={row.state} />),
    },
  ];
}

function State({ of: state }: { of: ImportRowState }) {
  return <StatusBadge tone={rowStates[state].tone}>{rowStates[state].label}</StatusBadge>;
}

function isInvitable(state: ImportRowState): boolean {
  return invitableStates.some((invitable) => invitable === state);
}

function InvitationDates({ invitation }: Pick<Row, 'invitation'>) {
  if (!invitation) return '–';
  const { sentAt, expiresAt, acceptedAt } = invitation;
  return (
    <TwoLines
      first={
        <>
          Sent <DateTime value={sentAt} />
        </>
      }
      second={
        <>
          {acceptedAt ? 'Accepted ' : 'Valid until '}
          <DateTime value={acceptedAt ?? expiresAt} />
        </>
      }
    />
  );
}
