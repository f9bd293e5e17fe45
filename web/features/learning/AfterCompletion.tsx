import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ParticipantDashboard, readParticipantDashboard } from '#contract/home.ts';
import { completionWords } from '#contract/own-week-standing.ts';
import { queryFor } from '../../api/query-for.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { nothingLeft, targetOf, wordsOf } from './next-step.ts';

/** Says what the completed activity brought, and leads to what is to do next. */
export function AfterCompletion({ weekNumber }: { weekNumber: number }) {
  const dashboard = useQuery(queryFor(readParticipantDashboard));
  const { data, isFetching } = dashboard;
  // What was read before the activity was completed does not count it.
  const read = isFetching ? { ...dashboard, data: undefined, isPending: true, isError: false } : dashboard;
  return (
    <Loaded
      read={read}
      failure="What comes next could not be loaded"
      loading={{ label: 'Loading what comes next', rows: 2 }}
    >
      {() => (data ? <WhatCameOfIt dashboard={data} weekNumber={weekNumber} /> : null)}
    </Loaded>
  );
}

function WhatCameOfIt({ dashboard, weekNumber }: { dashboard: ParticipantDashboard; weekNumber: number }) {
  const { nextStep, today } = dashboard;
  const brought = completionWords(dashboard, weekNumber);
  return (
    <Stack gap="xs" role="status">
      {brought ? <Text fw={550}>{brought}</Text> : null}
      {nextStep ? (
        <Text component="div">
          {wordsOf(nextStep, today).lead}:{' '}
          <Anchor component={Link} to={targetOf(nextStep)} fw={550} py={4}>
            {nextStep.title}
          </Anchor>
        </Text>
      ) : (
        <Text>{nothingLeft}</Text>
      )}
    </Stack>
  );
}
