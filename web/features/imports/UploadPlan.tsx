import { List, Stack, Text, Title } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ResponseOf } from '#contract/endpoint.ts';
import { checkImport } from '#contract/import-results.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { showing } from '../../api/query-for.ts';
import { counted } from '../../ui/counted.ts';
import { ErrorState, LoadingState } from '../../ui/states.tsx';
import { ListedErrors } from './ListedErrors.tsx';
import type { PeopleFile } from './parse-people-file.ts';

type Plan = ResponseOf<typeof checkImport>;

/**
 * Asks the server what would become of a file without errors. A file with errors is not sent (BULK-29). `choice` tells
 * one choosing of a file from the next.
 */
export function useUploadPlan({ records, errors }: PeopleFile, choice: number) {
  return useQuery({
    ...showing(checkImport),
    queryKey: [checkImport.name, choice],
    queryFn: () => call(checkImport, { body: { records: records.map(({ record }) => record) } }),
    enabled: errors.length === 0,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Says before anything is sent who would be left out, and how the cohorts would fill. */
export function UploadPlan({ plan, file }: { plan: UseQueryResult<Plan>; file: PeopleFile }) {
  if (plan.data) return <LoadedPlan plan={plan.data} file={file} />;
  if (plan.isError) {
    return (
      <ErrorState
        title="Accounts and places could not be checked"
        message={`${messageOf(plan.error)} They are checked again when you create the users.`}
        onRetry={() => void plan.refetch()}
        isRetrying={plan.isFetching}
      />
    );
  }
  return plan.isFetching ? <LoadingState label="Checking accounts and places" rows={1} /> : null;
}

function LoadedPlan({ plan: { leftOut, cohorts }, file: { filename, records } }: { plan: Plan; file: PeopleFile }) {
  const rows = leftOut.map(({ row, email, error }) => ({ row: records[row - 1]?.row ?? row, email, error }));
  return (
    <Stack gap="md">
      {rows.length > 0 ? (
        <ListedErrors
          title={`${rows.length.toLocaleString('en-US')} of ${records.length.toLocaleString('en-US')} would be left out`}
          label="Rows that would be left out"
          color="yellow"
          filename={filename}
          rows={rows}
          lead="The others can be created. People who have an account already stay as they are."
        />
      ) : null}
      {cohorts.length > 0 ? (
        <Stack gap={4}>
          <Title order={3}>Places</Title>
          <List size="sm" aria-label="Places in the cohorts">
            {cohorts.map(({ name, programType, participants, freePlaces }) => (
              <List.Item key={`${programType} ${name}`}>
                <b>{name}</b> ({programType}): {counted(participants, 'participant')} for{' '}
                {counted(freePlaces, 'free place')}
              </List.Item>
            ))}
          </List>
        </Stack>
      ) : (
        <Text size="sm" c="dimmed">
          No participant would take a place in a cohort.
        </Text>
      )}
    </Stack>
  );
}
