import { Badge, Card, Group, Text, UnstyledButton } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { listTrainingActivities } from '#contract/training-activities.ts';
import { LoadedRows } from '../../../ui/Loaded.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { ToActivities } from '../ToActivities.tsx';
import { VirtualList } from '../VirtualList.tsx';
import classes from './ContentManagement.module.css';

interface ContentActivityListProps {
  list: UseInfiniteQueryResult<InfiniteData<ResponseOf<typeof listTrainingActivities>>>;
  isFiltered: boolean;
  isPhone: boolean;
  selectedId: string | undefined;
  onSelect: (activityId: string) => void;
}

/** CONT-02. On a phone the list scrolls with the page. */
const panelHeight = { base: 320, md: 600 };

export function ContentActivityList({ list, isFiltered, isPhone, selectedId, onSelect }: ContentActivityListProps) {
  return (
    <LoadedRows
      list={list}
      failure="Load Error"
      loading={{ label: 'Loading activities', rows: 8 }}
      empty={
        <Card>
          {isFiltered ? (
            <EmptyState title="No activities found">Try another search or filter.</EmptyState>
          ) : (
            <EmptyState title="No activities yet" action={<ToActivities />}>
              Activities are created in Programme Setup.
            </EmptyState>
          )}
        </Card>
      }
    >
      {(rows, { matching }) => (
        <Card p={0}>
          <VirtualList
            label="Training activities"
            rows={rows}
            keyOf={({ id }) => id}
            total={matching}
            height={isPhone ? 'auto' : panelHeight}
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
      )}
    </LoadedRows>
  );
}
