import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { listCohortProgress, listProgressCohorts } from '#contract/cohort-progress.ts';
import { pagesFor, queryFor } from '../../api/query-for.ts';
import { ChartPlace } from '../../ui/ChartPlace.tsx';
import { countedMatches } from '../../ui/counted.ts';
import { Loaded, LoadedRows } from '../../ui/Loaded.tsx';
import { NextPageButton } from '../../ui/NextPageButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { CohortCompletionChart } from './CohortCompletionChart.tsx';
import { CohortProgressFilters } from './CohortProgressFilters.tsx';
import { CohortProgressTable } from './CohortProgressTable.tsx';
import { type CohortProgressPlace, useCohortProgressPlace } from './cohort-progress-place.ts';
import { MemberProgressDialog } from './MemberProgressDialog.tsx';

/** TRACK-15: how far is everybody, and who needs a word? */
export function CohortProgressPage() {
  const { place, change } = useCohortProgressPlace();
  const cohorts = useQuery(queryFor(listProgressCohorts));
  const cohortId = place.cohort ?? cohorts.data?.cohorts[0]?.id;
  return (
    <>
      <PageHeader title="Cohort Progress" lead="How far everybody is, the furthest first." />
      <Stack gap="lg">
        <Loaded
          read={cohorts}
          failure="The cohorts could not be loaded"
          loading={{ label: 'Loading the cohorts', rows: 6 }}
        >
          {(data) =>
            cohortId ? (
              <CohortProgressFilters cohorts={data.cohorts} cohortId={cohortId} place={place} onChange={change} />
            ) : null
          }
        </Loaded>
        {cohortId ? (
          <>
            <Completion key={`completion of ${cohortId}`} cohortId={cohortId} />
            <Members key={cohortId} cohortId={cohortId} place={place} onChange={change} />
          </>
        ) : cohorts.data ? (
          <Card>
            <EmptyState title="No cohort yet">
              When participants are enrolled in a cohort, their progress shows here.
            </EmptyState>
          </Card>
        ) : null}
      </Stack>
      <MemberProgressDialog
        cohortId={cohortId}
        participantId={place.member}
        onClose={() => change({ member: undefined })}
      />
    </>
  );
}

function Completion({ cohortId }: { cohortId: string }) {
  return (
    <Card component="section" aria-labelledby="completion">
      <Title order={2} id="completion" mb="md">
        Completion by week
      </Title>
      <ChartPlace height={350} heightOnPhone={430}>
        {() => <CohortCompletionChart cohortId={cohortId} />}
      </ChartPlace>
    </Card>
  );
}

interface MembersProps {
  cohortId: string;
  place: CohortProgressPlace;
  onChange: (changes: Partial<CohortProgressPlace>) => void;
}

function Members({ cohortId, place: { search, status, standing }, onChange }: MembersProps) {
  const list = useInfiniteQuery({
    ...pagesFor(listCohortProgress, { params: { id: cohortId }, query: { search, status, standing } }),
    placeholderData: (previous) => previous,
  });
  const isFiltered = Boolean(search || status || standing);
  return (
    <LoadedRows
      list={list}
      failure="The progress could not be loaded"
      loading={{ label: 'Loading the progress', rows: 8 }}
      empty={
        <Card>
          {isFiltered ? (
            <EmptyState
              title="Nobody matches"
              action={
                <Button
                  variant="default"
                  onClick={() => onChange({ search: undefined, status: undefined, standing: undefined })}
                >
                  Clear filters
                </Button>
              }
            >
              No participant of this cohort matches the search and the status.
            </EmptyState>
          ) : (
            <EmptyState title="Nobody is in this cohort yet">Its members and their progress will show here.</EmptyState>
          )}
        </Card>
      }
    >
      {(rows, { matching }) => (
        <Stack gap="sm">
          <CohortProgressTable rows={rows} onOpen={(member) => onChange({ member })} />
          <Group gap="sm">
            <NextPageButton list={list} />
            <Text size="sm" c="dimmed" role="status">
              {rows.length.toLocaleString('en-US')} of {countedMatches(matching, 'participant')} shown
            </Text>
          </Group>
        </Stack>
      )}
    </LoadedRows>
  );
}
