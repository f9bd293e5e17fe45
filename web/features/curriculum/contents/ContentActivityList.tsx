import { Badge, Card, Group, Text, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ActivityFilters, listTrainingActivities } from '#contract/training-activities.ts';
import { messageOf } from '../../../api/api-error.ts';
import { pagesFor } from '../../../api/query-for.ts';
import { EmptyState, ErrorState, LoadingState } from '../../../ui/states.tsx';
import { VirtualList } from '../VirtualList.tsx';
import classes from './ContentManagement.module.css';

interface ContentActivityListProps {
  filters: ActivityFilters;
  selectedId: string | undefined;
  onSelect: (activityId: string) => void;
}

/** CONT-02 */
const panelHeight = { base: 320, md: 600 };

export function ContentActivityList({ filters, selectedId, onSelect }: ContentActivityListProps) {
  const list = useInfiniteQuery(pagesFor(listTrainingActivities, { query: filters }));
  if (list.isPending) return <LoadingState label="Loading activities" rows={8} />;
  const pages = list.data?.pages ?? [];
  const rows = pages.flatMap((page) => page.rows);
  return (
    <>
      {list.isError ? (
        <ErrorState
          title="Load Error"
          message={messageOf(list.error)}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
      ) : null}
      {list.data && rows.length === 0 ? (
        <Card>
          <EmptyState title="No activities found">
            Activities are created in Programme Setup. Another search or filter may find them.
          </EmptyState>
        </Card>
      ) : null}
      {rows.length > 0 ? (
        <Card p={0}>
          <VirtualList
            label="Training activities"
            rows={rows}
            keyOf={({ id }) => id}
            total={pages[0]?.matching ?? rows.length}
            height={panelHeight}
            rowHeight={98}
            onMore={list.hasNextPage && !list.isFetching && !list.isError ? () => void list.fetchNextPage() : null}
          >
            {({ id, title, weekNumber, moduleName, cohortName }) => (
              <UnstyledButton
                className={classes.activity}
                aria-current={id === selectedId || undefined}
                onClick={() => onSelect(id)}
              >
                <Text component="span" display="block" size="sm" fw={600}>
                  {title}
                </Text>
                <Group component="span" gap="xs" mt={4}>
                  <Text component="span" size="sm" c="dimmed">
                    Week {weekNumber} · {cohortName ?? 'Unassigned'}
                  </Text>
                  {moduleName ? (
                    <Badge component="span" color="gray" h="auto" styles={{ label: { whiteSpace: 'normal' } }}>
                      {moduleName}
                    </Badge>
                  ) : null}
                </Group>
              </UnstyledButton>
            )}
          </VirtualList>
        </Card>
      ) : null}
    </>
  );
}
