import { Button, Card, Group, Stack } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../../../ui/DataTable.tsx';
import { LoadedRows } from '../../../ui/Loaded.tsx';
import { ShowMore } from '../../../ui/ShowMore.tsx';
import { EmptyState } from '../../../ui/states.tsx';

interface SetupListProps<Row> {
  /** 'cohorts', for sentences about the list. */
  things: string;
  list: UseInfiniteQueryResult<InfiniteData<{ rows: Row[] }>>;
  columns: Column<Row>[];
  keyOf: (row: Row) => string;
  /** Search, filters, and facts about the whole list. */
  filters: ReactNode;
  isFiltered: boolean;
  onClear: () => void;
  addLabel: string;
  onAdd: () => void;
  emptyWords: string;
}

export function SetupList<Row>(props: SetupListProps<Row>) {
  const { things, list, columns, keyOf, filters, isFiltered, onClear, addLabel, onAdd, emptyWords } = props;
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-end" gap="sm">
        <Group
          component="search"
          gap="sm"
          align="flex-end"
          aria-label={`Filter ${things}`}
          flex={{ base: '1 0 100%', sm: '1 1 0' }}
        >
          {filters}
        </Group>
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={onAdd}>
          {addLabel}
        </Button>
      </Group>
      {isFiltered ? (
        <Button
          variant="subtle"
          size="compact-sm"
          w="fit-content"
          leftSection={<X size={15} aria-hidden />}
          onClick={onClear}
        >
          Clear filters
        </Button>
      ) : null}
      <LoadedRows
        list={list}
        failure={`The ${things} could not be loaded`}
        loading={{ label: `Loading the ${things}`, rows: 6 }}
        empty={
          <Card>
            {isFiltered ? (
              <EmptyState title={`No ${things} found`}>Try another search, or clear the filters.</EmptyState>
            ) : (
              <EmptyState title={`No ${things} yet`} action={<Button onClick={onAdd}>{addLabel}</Button>}>
                {emptyWords}
              </EmptyState>
            )}
          </Card>
        }
      >
        {(rows) => (
          <DataTable
            label={things.replace(/^./, (first) => first.toUpperCase())}
            columns={columns}
            rows={rows}
            keyOf={keyOf}
          />
        )}
      </LoadedRows>
      {list.hasNextPage ? (
        <ShowMore isRunning={list.isFetching} hasFailed={list.isError} onMore={() => void list.fetchNextPage()} />
      ) : null}
    </Stack>
  );
}
