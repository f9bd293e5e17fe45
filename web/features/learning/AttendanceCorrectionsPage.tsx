import { Card, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listAttendanceCorrections } from '#contract/attendance-corrections.ts';
import type { WaitingAge } from '#contract/waiting-age.ts';
import { pagesFor } from '../../api/query-for.ts';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { NextPageButton } from '../../ui/NextPageButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { type AnswerState, WaitingTabs } from '../../ui/WaitingTabs.tsx';
import { AnswerCorrectionDialog, type PendingAnswer } from './AnswerCorrectionDialog.tsx';
import { AttendanceCorrectionTable } from './AttendanceCorrectionTable.tsx';

const empty = {
  open: {
    title: 'No requests waiting',
    words: 'When a participant says a record is wrong, it stays here until you answer.',
  },
  answered: {
    title: 'Nothing has been answered yet',
    words: 'Requests that were accepted or declined are kept here.',
  },
};

/** Who says that their attendance record is wrong, and does the week's stipend depend on it? */
export function AttendanceCorrectionsPage() {
  return (
    <>
      <PageHeader
        title="Attendance Corrections"
        lead="What participants say about their records. An accepted request changes the record and the week's stipend."
      />
      <WaitingTabs>{(state, age) => <Requests key={state} state={state} age={age} />}</WaitingTabs>
    </>
  );
}

function Requests({ state, age }: { state: AnswerState; age: WaitingAge | undefined }) {
  const [pending, setPending] = useState<PendingAnswer | null>(null);
  const list = useInfiniteQuery(pagesFor(listAttendanceCorrections, { query: { state, age } }));
  return (
    <>
      <Stack gap="md">
        <LoadedRows
          list={list}
          failure="The requests could not be loaded"
          loading={{ label: 'Loading the requests', rows: 6 }}
          empty={
            <Card>
              <EmptyState title={empty[state].title}>{empty[state].words}</EmptyState>
            </Card>
          }
        >
          {(rows) => <AttendanceCorrectionTable rows={rows} onAnswer={setPending} />}
        </LoadedRows>
        <NextPageButton list={list} />
      </Stack>
      <AnswerCorrectionDialog pending={pending} onClose={() => setPending(null)} />
    </>
  );
}
