import { Card, Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { listActivityCohorts, listTrainingActivities } from '#contract/training-activities.ts';
import { pagesFor, queryFor } from '../../../api/query-for.ts';
import { paths } from '../../../app/paths.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { ActivityFilters } from '../ActivityFilters.tsx';
import { useActivityPlace } from '../activity-place.ts';
import { ActivityContentPanel } from './ActivityContentPanel.tsx';
import { ContentActivityList } from './ContentActivityList.tsx';
import classes from './ContentManagement.module.css';

/** CONT-01 */
export function ContentManagementPage() {
  const { place, filters, change } = useActivityPlace(paths.contentManagement);
  const cohortList = useQuery(queryFor(listActivityCohorts));
  // Each cohort has activities with the same titles. Admins work on those of the cohort that runs now.
  const running = cohortList.data?.cohorts.find(({ status }) => status === 'active')?.id;
  const isCohortKnown = place.cohort !== undefined || !cohortList.isPending;
  const query = place.cohort === undefined ? { ...filters, cohort: running } : filters;
  const list = useInfiniteQuery({ ...pagesFor(listTrainingActivities, { query }), enabled: isCohortKnown });
  // Without the activities there is none to choose.
  const hasFailed = list.isError && list.data === undefined;
  return (
    <>
      <PageHeader title="Content Management" lead="What people read, watch and hand in for each training activity." />
      <Stack gap="md">
        <ActivityFilters place={place} onChange={change} firstCohort={running} />
        <div className={classes.panes}>
          <section aria-label="Activities">
            <ContentActivityList
              list={list}
              isFiltered={Object.values(query).some(Boolean)}
              selectedId={place.activity}
              onSelect={(activity) => change({ activity }, { isPlaceToGoBackTo: true })}
            />
          </section>
          {hasFailed && !place.activity ? null : (
            <section aria-label="Contents of the activity">
              {place.activity ? (
                <ActivityContentPanel key={place.activity} activityId={place.activity} />
              ) : (
                <Card>
                  <EmptyState title="Choose an activity">Its contents and assignments are shown here.</EmptyState>
                </Card>
              )}
            </section>
          )}
        </div>
      </Stack>
    </>
  );
}
