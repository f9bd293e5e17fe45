import { Alert, Anchor, Box, Button, Group, Stack, Text } from '@mantine/core';
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

/**
 * For 'All cohorts': names the cohorts without stipends of the week, and calculates them. Only those that still run are
 * a warning. Those that have ended would be one in every week.
 */
export function UnprocessedCohorts({ week, title, list }: UnprocessedCohortsProps) {
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
  const running = unprocessed.filter(({ endedOn }) => !endedOn);
  const ended = unprocessed.filter(({ endedOn }) => endedOn);
  const button = (
    <Button
      size={running.length > 0 ? 'sm' : 'compact-sm'}
      variant={running.length > 0 ? 'default' : 'subtle'}
      loading={calculate.isRunning}
      onClick={() => calculate.run({ body: { weekNumber: week } })}
    >
      Calculate all
    </Button>
  );
  const status = (
    <Text role="status" size="sm">
      {calculate.isRunning ? `Calculating ${counted(unprocessed.length, 'cohort')}. This can take some seconds.` : ''}
    </Text>
  );
  return (
    <Stack gap="xs">
      {running.length > 0 ? (
        <Alert color="yellow" role="note" title={`${counted(running.length, 'cohort')} not calculated for ${title}`}>
          <Group justify="space-between" gap="sm">
            <Text size="sm" style={{ flex: '1 1 240px' }}>
              <Names of={running} />. Their stipends are not in this list yet.
            </Text>
            {button}
          </Group>
          {status}
        </Alert>
      ) : null}
      {ended.length > 0 ? (
        <Box>
          <Group gap="xs">
            <Text size="sm" c="dimmed">
              {counted(ended.length, 'ended cohort')} not calculated for {title}: <Names of={ended} />.
            </Text>
            {running.length > 0 ? null : button}
          </Group>
          {running.length > 0 ? null : status}
        </Box>
      ) : null}
    </Stack>
  );
}

type Cohort = ReplyOf<typeof listUnprocessedCohorts>['unprocessed'][number];

function Names({ of: cohorts }: { of: Cohort[] }) {
  const [isWhole, setWhole] = useState(false);
  const named = isWhole ? cohorts : cohorts.slice(0, namedAtMost);
  const more = cohorts.length - named.length;
  return (
    <>
      {named.map(inWords).join(', ')}
      {more > 0 ? (
        <>
          {' and '}
          <Anchor component="button" type="button" size="sm" py={4} onClick={() => setWhole(true)}>
            {more.toLocaleString('en-US')} more
          </Anchor>
        </>
      ) : null}
    </>
  );
}

function inWords({ name, endedOn }: Cohort): string {
  return endedOn ? `${name} (ended ${formatDay(endedOn, { withYear: true })})` : name;
}
