import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReplyOf } from '#contract/endpoint.ts';
import { listUnprocessedCohorts, processUnprocessedCohorts } from '#contract/stipend-cohorts.ts';
import { queryFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { counted } from '../../ui/counted.ts';
import { formatDay } from '../../ui/dates.ts';
import { NotLoaded } from '../../ui/NotLoaded.tsx';

const namedAtMost = 3;

/** The cohorts without stipends of the week. */
export function useUnprocessedCohorts(week: number, isAsked: boolean) {
  return useQuery({
    ...queryFor(listUnprocessedCohorts, { query: { week } }),
    staleTime: 0,
    enabled: isAsked,
  });
}

interface UnprocessedCohortsProps {
  week: number;
  title: string;
  list: ReturnType<typeof useUnprocessedCohorts>;
}

/** For 'All cohorts': names the cohorts without stipends of the week, and calculates them. */
export function UnprocessedCohorts({ week, title, list }: UnprocessedCohortsProps) {
  const [isWhole, setWhole] = useState(false);
  const calculate = useAction(processUnprocessedCohorts, {
    success: ({ cohorts }) => ({
      title: 'Stipends Calculated',
      message: `${counted(cohorts, 'cohort')} calculated for ${title}.`,
    }),
    failureTitle: 'Calculation Failed',
  });
  if (list.isError && !list.data) {
    return (
      <Group gap={8}>
        <Text size="sm">Calculated cohorts</Text>
        <NotLoaded
          label="calculated cohorts"
          missing={{ onRetry: () => void list.refetch(), isRetrying: list.isFetching }}
        />
      </Group>
    );
  }
  if (!list.data) return null;
  const { processed, unprocessed } = list.data;
  if (unprocessed.length === 0) {
    return processed === 0 ? null : (
      <Text size="sm" c="dimmed">
        All cohorts are calculated for {title}.
      </Text>
    );
  }
  const named = isWhole ? unprocessed : unprocessed.slice(0, namedAtMost);
  const more = unprocessed.length - named.length;
  return (
    <Alert color="yellow" role="note" title={`${counted(unprocessed.length, 'cohort')} not calculated for ${title}`}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" style={{ flex: '1 1 240px' }}>
          {named.map(inWords).join(', ')}
          {more > 0 ? (
            <>
              {' and '}
              <Anchor component="button" type="button" size="sm" py={4} onClick={() => setWhole(true)}>
                {more.toLocaleString('en-US')} more
              </Anchor>
            </>
          ) : null}
          . Their stipends are not in this list yet.
          {unprocessed.some(({ endedOn }) => endedOn)
            ? ' A cohort that has ended is here because its people have no stipend for this week.'
            : null}
        </Text>
        <Button
          size="sm"
          variant="default"
          loading={calculate.isRunning}
          onClick={() => calculate.run({ body: { weekNumber: week } })}
        >
          Calculate all
        </Button>
      </Group>
      <Text role="status" size="sm">
        {calculate.isRunning ? `Calculating ${counted(unprocessed.length, 'cohort')}. This can take some seconds.` : ''}
      </Text>
    </Alert>
  );
}

function inWords({ name, endedOn }: ReplyOf<typeof listUnprocessedCohorts>['unprocessed'][number]): string {
  return endedOn ? `${name} (ended ${formatDay(endedOn, { withYear: true })})` : name;
}
