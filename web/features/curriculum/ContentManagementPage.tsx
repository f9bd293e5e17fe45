import { Card, Stack } from '@mantine/core';
import { paths } from '../../app/paths.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { ActivityContentPanel } from './ActivityContentPanel.tsx';
import { ActivityFilters } from './ActivityFilters.tsx';
import { useActivityPlace } from './activity-place.ts';
import { ContentActivityList } from './ContentActivityList.tsx';
import classes from './ContentManagement.module.css';

/** CONT-01 */
export function ContentManagementPage() {
  const { place, filters, change } = useActivityPlace(paths.contentManagement);
  return (
    <>
      <PageHeader title="Content Management" lead="What is read, watched and handed in for each training activity." />
      <Stack gap="md">
        <ActivityFilters place={place} onChange={change} />
        <div className={classes.panes}>
          <section aria-label="Activities">
            <ContentActivityList
              filters={filters}
              selectedId={place.activity}
              onSelect={(activity) => change({ activity }, { isPlaceToGoBackTo: true })}
            />
          </section>
          <section aria-label="Contents of the activity">
            {place.activity ? (
              <ActivityContentPanel key={place.activity} activityId={place.activity} />
            ) : (
              <Card>
                <EmptyState title="Choose an activity">Its contents and assignments are shown here.</EmptyState>
              </Card>
            )}
          </section>
        </div>
      </Stack>
    </>
  );
}
