import { Button, Card, Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { listActivityCohorts, listTrainingActivities } from '#contract/training-activities.ts';
import { pagesFor, queryFor } from '../../../api/query-for.ts';
import { paths } from '../../../app/paths.ts';
import { useIsPhone } from '../../../ui/FilterBar.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { useFocusInStep } from '../../../ui/use-focus-in-step.ts';
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
  const hasNoneToChoose = list.data ? list.data.pages[0]?.rows.length === 0 : list.isError;
  const isPhone = useIsPhone();
  // A phone has room for one of the two.
  const isListed = !isPhone || place.activity === undefined;
  const page = useFocusInStep(!isListed);
  const choose = (activity: string) => {
    if (isPhone) window.scrollTo({ top: 0 });
    change({ activity }, { isPlaceToGoBackTo: true });
  };
  return (
    <div ref={page}>
      <PageHeader title="Content Management" lead="What people read, watch and hand in for each training activity." />
      <Stack gap="md">
        {isListed ? (
          <ActivityFilters place={place} onChange={change} firstCohort={running} />
        ) : (
          <Button
            variant="subtle"
            size="compact-sm"
            w="fit-content"
            leftSection={<ArrowLeft size={15} aria-hidden />}
            onClick={() => change({ activity: undefined })}
          >
            All activities
          </Button>
        )}
        <div className={classes.panes} data-single={(hasNoneToChoose && !place.activity) || undefined}>
          {isListed ? (
            <section aria-label="Activities">
              <ContentActivityList
                list={list}
                isFiltered={Object.values(query).some(Boolean)}
                isPhone={isPhone}
                selectedId={place.activity}
                onSelect={choose}
              />
            </section>
          ) : null}
          {place.activity ? (
            <section aria-label="Contents of the activity">
              <ActivityContentPanel key={place.activity} activityId={place.activity} />
            </section>
          ) : hasNoneToChoose || isPhone ? null : (
            <section aria-label="Contents of the activity">
              <Card>
                <EmptyState title="Choose an activity">Its contents and assignments are shown here.</EmptyState>
              </Card>
            </section>
          )}
        </div>
      </Stack>
    </div>
  );
}
