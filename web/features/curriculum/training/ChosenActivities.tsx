import { Box, Checkbox, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ActivityFilters, listTrainingActivities, type TrainingActivity } from '#contract/training-activities.ts';
import { pagesFor } from '../../../api/query-for.ts';
import { LoadedParts } from '../../../ui/Loaded.tsx';
import { whomItReaches } from '../setup-words.ts';
import { VirtualList } from '../VirtualList.tsx';
import { type ActivityChoice, isChosen } from './activity-choice.ts';

interface ChosenActivitiesProps {
  choice: ActivityChoice;
  onToggle: (activity: TrainingActivity) => void;
}

/** TRAIN-25 */
const boxHeight = 384;

/** Lists the chosen activities. A person can still take a few out. */
export function ChosenActivities({ choice, onToggle }: ChosenActivitiesProps) {
  if (choice.kind === 'all') {
    return <AllUnderFilters choice={choice} filters={choice.filters} onToggle={onToggle} />;
  }
  const rows = [...choice.rows.values()];
  return <ChosenList choice={choice} rows={rows} total={rows.length} onToggle={onToggle} onMore={null} />;
}

function AllUnderFilters({ choice, filters, onToggle }: ChosenActivitiesProps & { filters: ActivityFilters }) {
  const list = useInfiniteQuery(pagesFor(listTrainingActivities, { query: filters }));
  return (
    <LoadedParts
      read={list}
      failure="The selected activities cannot be shown"
      loading={{ label: 'Loading the selected activities', rows: 4 }}
    >
      {({ pages }) => (
        <ChosenList
          choice={choice}
          rows={pages.flatMap((page) => page.rows)}
          total={pages[0]?.matching ?? 0}
          onToggle={onToggle}
          onMore={list.hasNextPage && !list.isFetching && !list.isError ? () => void list.fetchNextPage() : null}
        />
      )}
    </LoadedParts>
  );
}

interface ChosenListProps extends ChosenActivitiesProps {
  rows: TrainingActivity[];
  total: number;
  onMore: (() => void) | null;
}

function ChosenList({ choice, rows, total, onToggle, onMore }: ChosenListProps) {
  if (rows.length === 0) return <Text c="dimmed">No activities are selected.</Text>;
  return (
    <Box style={{ border: '1px solid var(--mantine-color-default-border)', borderRadius: 10 }}>
      <VirtualList
        label="Selected activities"
        rows={rows}
        keyOf={({ id }) => id}
        total={total}
        height={boxHeight}
        rowHeight={60}
        onMore={onMore}
      >
        {(row) => (
          <Checkbox
            px="sm"
            py={8}
            checked={isChosen(choice, row.id)}
            onChange={() => onToggle(row)}
            label={row.title}
            description={`Week ${row.weekNumber} · ${row.cohortName ?? `Unassigned · ${whomItReaches(row.reachedCount)}`}`}
            styles={{ labelWrapper: { minWidth: 0 } }}
          />
        )}
      </VirtualList>
    </Box>
  );
}
