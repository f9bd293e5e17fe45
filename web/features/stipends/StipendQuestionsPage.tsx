import { Card, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listStipendQuestions, type StipendQuestion } from '#contract/stipend-questions.ts';
import type { WaitingAge } from '#contract/waiting-age.ts';
import { pagesFor } from '../../api/query-for.ts';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { NextPageButton } from '../../ui/NextPageButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { type AnswerState, WaitingTabs } from '../../ui/WaitingTabs.tsx';
import { AnswerQuestionDialog } from './AnswerQuestionDialog.tsx';
import { StipendQuestionTable } from './StipendQuestionTable.tsx';

const empty = {
  open: {
    title: 'No questions waiting',
    words: 'When a participant asks about a week, it stays here until somebody answers.',
  },
  answered: {
    title: 'Nothing has been answered yet',
    words: 'Questions that were answered or closed are kept here.',
  },
};

/** Who does not understand their stipend, and since when do they wait? */
export function StipendQuestionsPage() {
  return (
    <>
      <PageHeader
        title="Stipend Questions"
        lead="What participants ask about a week, with the facts as they saw them. The longest wait comes first."
      />
      <WaitingTabs>{(state, age) => <Questions key={state} state={state} age={age} />}</WaitingTabs>
    </>
  );
}

function Questions({ state, age }: { state: AnswerState; age: WaitingAge | undefined }) {
  const [pending, setPending] = useState<StipendQuestion | null>(null);
  const list = useInfiniteQuery(pagesFor(listStipendQuestions, { query: { state, age } }));
  return (
    <>
      <Stack gap="md">
        <LoadedRows
          list={list}
          failure="The questions could not be loaded"
          loading={{ label: 'Loading the questions', rows: 6 }}
          empty={
            <Card>
              <EmptyState title={empty[state].title}>{empty[state].words}</EmptyState>
            </Card>
          }
        >
          {(rows) => <StipendQuestionTable rows={rows} onAnswer={setPending} />}
        </LoadedRows>
        <NextPageButton list={list} />
      </Stack>
      <AnswerQuestionDialog pending={pending} onClose={() => setPending(null)} />
    </>
  );
}
