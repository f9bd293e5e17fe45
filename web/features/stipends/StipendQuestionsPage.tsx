import { Button, Card, Stack, Tabs } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { listStipendQuestions, type StipendQuestion } from '#contract/stipend-questions.ts';
import { messageOf } from '../../api/api-error.ts';
import { pagesFor } from '../../api/query-for.ts';
import { paths } from '../../app/paths.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states.tsx';
import { AnswerQuestionDialog } from './AnswerQuestionDialog.tsx';
import { StipendQuestionTable } from './StipendQuestionTable.tsx';

const states = { open: 'Waiting', answered: 'Answered' } as const;
type State = keyof typeof states;

/** Who does not understand their stipend, and since when do they wait? */
export function StipendQuestionsPage() {
  const { state } = useSearch({ strict: false }) as { state?: string };
  const shown: State = state === 'answered' ? 'answered' : 'open';
  const navigate = useNavigate();
  const show = (next: string | null) =>
    void navigate({ to: paths.stipendQuestions, search: next === 'answered' ? { state: next } : {} });
  return (
    <>
      <PageHeader
        title="Stipend Questions"
        lead="What participants ask about a week, with the facts as they saw them. Who waits longest comes first."
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
          <Questions key={shown} state={shown} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Questions({ state }: { state: State }) {
  const [pending, setPending] = useState<StipendQuestion | null>(null);
  const list = useInfiniteQuery(pagesFor(listStipendQuestions, { query: { state } }));
  if (list.isPending) return <LoadingState label="Loading the questions" rows={6} />;
  const rows: StipendQuestion[] = list.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <Stack gap="md">
      {list.isError ? (
        <ErrorState
          title="The questions could not be loaded"
          message={messageOf(list.error)}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
      ) : null}
      {list.data && rows.length === 0 ? (
        <Card>
          <EmptyState title={state === 'open' ? 'No question waits' : 'Nothing has been answered yet'}>
            {state === 'open'
              ? 'When a participant questions a week, it is here until somebody answers.'
              : 'Questions that were answered or closed are kept here.'}
          </EmptyState>
        </Card>
      ) : null}
      {rows.length > 0 ? <StipendQuestionTable rows={rows} onAnswer={setPending} /> : null}
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
      <AnswerQuestionDialog pending={pending} onClose={() => setPending(null)} />
    </Stack>
  );
}
