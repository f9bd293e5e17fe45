import { Button, Card, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Users } from 'lucide-react';
import { useState } from 'react';
import { listActivityCohorts, listTrainingActivities, type TrainingActivity } from '#contract/training-activities.ts';
import { messageOf } from '../../../api/api-error.ts';
import { queryFor } from '../../../api/query-for.ts';
import { paths } from '../../../app/paths.ts';
import { counted } from '../../../ui/counted.ts';
import { LoadedRows, ReadFailure } from '../../../ui/Loaded.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { useUnsavedChanges } from '../../../ui/use-unsaved-changes.tsx';
import { SavedFilters } from '../../saved-filters/SavedFilters.tsx';
import { ActivityFilters } from '../ActivityFilters.tsx';
import { useActivityPlace } from '../activity-place.ts';
import { ToActivities } from '../ToActivities.tsx';
import { ActivityTable } from './ActivityTable.tsx';
import { AssignActivityDialog } from './AssignActivityDialog.tsx';
import { allUnder, countOf, isChosen, nothingChosen, toggled, underFilters } from './activity-choice.ts';
import { BulkAssignDialog } from './BulkAssignDialog.tsx';
import { useActivityEdit } from './use-activity-edit.ts';

/** TRAIN-01 */
export function TrainingManagementPage() {
  const { place, filters, change, isFiltered, clear } = useActivityPlace(paths.trainingManagement);
  const [chosen, setChosen] = useState(nothingChosen);
  const [assigned, setAssigned] = useState<TrainingActivity | null>(null);
  const [isBulkOpen, setBulkOpen] = useState(false);
  /** Maps the start of a page to the start of the page before it. The first page has none. */
  const [earlier, setEarlier] = useState<Record<string, string | undefined>>({});
  const edit = useActivityEdit();
  const { afterAsking, question } = useUnsavedChanges(edit.isDirty && !edit.isSaving);
  const list = useQuery({
    ...queryFor(listTrainingActivities, { query: { ...filters, cursor: place.after } }),
    placeholderData: keepPreviousData,
  });
  const cohortList = useQuery(queryFor(listActivityCohorts));
  const cohorts = cohortList.data?.cohorts ?? [];
  const matching = list.data?.matching ?? 0;
  const choice = underFilters(chosen, filters);
  const count = countOf(choice, matching);
  const toggle = (activity: TrainingActivity) => setChosen(toggled(choice, activity));
  const turnTo = (after: string | undefined) => {
    change({ after }, { isPlaceToGoBackTo: true });
    window.scrollTo({ top: 0 });
  };

  return (
    <>
      <PageHeader
        title="Training Activity Management"
        lead="When each activity takes place, how it is taught, and to which cohort."
      >
        <Button leftSection={<Users size={16} aria-hidden />} onClick={() => setBulkOpen(true)}>
          Bulk assign
        </Button>
      </PageHeader>
      <Stack gap="md">
        <ActivityFilters
          place={place}
          onChange={change}
          saved={<SavedFilters list="trainingActivities" of={['search', 'week', 'cohort']} places={['after']} />}
        />
        {list.isError ? null : <ReadFailure read={cohortList} failure={failureOf(cohortList.error)} />}
        <LoadedRows
          list={list}
          failure={failureOf(list.error)}
          loading={{ label: 'Loading activities', rows: 8 }}
          isKept={edit.base !== null}
          above={() => (
            <Group gap="sm" mih={36} justify="space-between">
              <Group gap="sm">
                <Text size="sm" c="dimmed" role="status">
                  {counted(matching, 'activity', 'activities')}
                  {count > 0 ? `, ${count.toLocaleString('en-US')} selected` : ''}
                </Text>
                {isFiltered ? (
                  <Button variant="subtle" size="compact-sm" onClick={clear}>
                    Clear filters
                  </Button>
                ) : null}
              </Group>
              <Group gap="sm">
                <Button
                  variant="default"
                  size="compact-sm"
                  onClick={() => setChosen(allUnder(filters))}
                  disabled={matching === 0}
                >
                  Select all {matching.toLocaleString('en-US')}
                </Button>
                <Button
                  variant="default"
                  size="compact-sm"
                  onClick={() => setChosen(nothingChosen)}
                  disabled={count === 0}
                >
                  Clear selection
                </Button>
              </Group>
            </Group>
          )}
          empty={
            <Card>
              {isFiltered ? (
                <EmptyState title="No activities found" action={<Button onClick={clear}>Clear filters</Button>}>
                  No activity matches your search and filters.
                </EmptyState>
              ) : (
                <EmptyState title="No activities yet" action={<ToActivities />}>
                  Activities are created in Programme Setup, and scheduled and assigned here.
                </EmptyState>
              )}
            </Card>
          }
        >
          {(rows) => (
            <ActivityTable
              rows={rows}
              cohorts={cohorts}
              edit={edit}
              isChosen={(id) => isChosen(choice, id)}
              onToggle={toggle}
              onEdit={(activity) => afterAsking(() => edit.begin(activity))}
              onLeave={() => afterAsking(edit.cancel)}
              onAssign={setAssigned}
            />
          )}
        </LoadedRows>
        {list.data?.nextCursor || place.after ? (
          <Group justify="space-between" component="nav" aria-label="Pages">
            <Button
              variant="default"
              leftSection={<ChevronLeft size={16} aria-hidden />}
              disabled={!place.after}
              onClick={() => turnTo(earlier[place.after ?? ''])}
            >
              {place.after && place.after in earlier ? 'Previous page' : 'First page'}
            </Button>
            <Button
              variant="default"
              rightSection={<ChevronRight size={16} aria-hidden />}
              disabled={!list.data?.nextCursor || list.isPlaceholderData}
              onClick={() => {
                const next = list.data?.nextCursor;
                if (!next) return;
                setEarlier({ ...earlier, [next]: place.after });
                turnTo(next);
              }}
            >
              Next page
            </Button>
          </Group>
        ) : null}
      </Stack>
      {assigned ? (
        <AssignActivityDialog activity={assigned} cohorts={cohorts} onClose={() => setAssigned(null)} />
      ) : null}
      {isBulkOpen ? (
        <BulkAssignDialog
          choice={choice}
          count={count}
          cohorts={cohorts}
          onToggle={toggle}
          onAssigned={() => {
            setBulkOpen(false);
            setChosen(nothingChosen);
          }}
          onClose={() => setBulkOpen(false)}
        />
      ) : null}
      {question}
    </>
  );
}

/** TRAIN-26 */
function failureOf(error: unknown) {
  return { words: `Failed to load training management data: ${messageOf(error)}` };
}
