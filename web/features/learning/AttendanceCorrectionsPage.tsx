import { Button, Card, Stack, Tabs } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type AttendanceCorrection, listAttendanceCorrections } from '#contract/attendance-corrections.ts';
import { messageOf } from '../../api/api-error.ts';
import { pagesFor } from '../../api/query-for.ts';
import { paths } from '../../app/paths.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states.tsx';
import { AnswerCorrectionDialog, type PendingAnswer } from './AnswerCorrectionDialog.tsx';
import { AttendanceCorrectionTable } from './AttendanceCorrectionTable.tsx';

const states = { open: 'Waiting', answered: 'Answered' } as const;
type State = keyof typeof states;

/** Whose record of attendance is said to be wrong, and does the week's stipend hang on it? */
export function AttendanceCorrectionsPage() {
  const { state } = useSearch({ strict: false }) as { state?: string };
  const shown: State = state === 'answered' ? 'answered' : 'open';
  const navigate = useNavigate();
  const show = (next: string | null) =>
    void navigate({ to: paths.attendanceCorrections, search: next === 'answered' ? { state: next } : {} });
  return (
    <>
      <PageHeader
        title="Attendance Corrections"
        lead="What participants say about their records. An accepted request changes the record and the week's stipend."
      />
      <Tabs value={shown} onChange={show}>
        <Tabs.List mb="md">
          {Object.entries(states).map(([value, label]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={shown}>
          <Requests key={shown} state={shown} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Requests({ state }: { state: State }) {
  const [pending, setPending] = useState<PendingAnswer | null>(null);
  const list = useInfiniteQuery(pagesFor(listAttendanceCorrections, { query: { state } }));
  if (list.isPending) return <LoadingState label="Loading the requests" rows={6} />;
  const rows: AttendanceCorrection[] = list.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <Stack gap="md">
      {list.isError ? (
        <ErrorState
          title="The requests could not be loaded"
          message={messageOf(list.error)}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
      ) : null}
      {list.data && rows.length === 0 ? (
        <Card>
          <EmptyState title={state === 'open' ? 'No request waits' : 'Nothing has been answered yet'}>
            {state === 'open'
              ? 'When a participant finds a record of attendance wrong, it is here until you answer.'
              : 'Requests that were accepted or declined are kept here.'}
          </EmptyState>
        </Card>
      ) : null}
      {rows.length > 0 ? <AttendanceCorrectionTable rows={rows} onAnswer={setPending} /> : null}
      {list.hasNextPage ? (
        <Button
          variant="default"
          w="fit-content"
          onClick={() => void list.fetchNextPage()}
          loading={list.isFetchingNextPage}
        >
          Show more
        </Button>
      ) : null}
      <AnswerCorrectionDialog pending={pending} onClose={() => setPending(null)} />
    </Stack>
  );
}
