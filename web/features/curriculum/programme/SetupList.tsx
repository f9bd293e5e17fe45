import { Box, Button, Card, Group, Select, Stack } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { usualActivityWeeks } from '#contract/default-programme.ts';
import { type Column, DataTable } from '../../../ui/DataTable.tsx';
import { FilterBar } from '../../../ui/FilterBar.tsx';
import { LoadedRows } from '../../../ui/Loaded.tsx';
import { SearchField } from '../../../ui/SearchField.tsx';
import { ShowMore } from '../../../ui/ShowMore.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { useAskedDialog } from '../../../ui/use-asked-dialog.ts';
import { weekOptionsOf } from '../setup-words.ts';
import { useSetupPlace } from './setup-place.ts';

interface SetupListProps<Row> {
  /** 'cohort' */
  thing: string;
  /** 'cohorts', for sentences about the list. */
  things: string;
  list: UseInfiniteQueryResult<InfiniteData<{ rows: Row[] }>>;
  columns: (acts: RowActs<Row>, rows: Row[]) => Column<Row>[];
  /** The search, and what the whole list is about. */
  search?: ReactNode;
  /** The filters, and how many of them are on. */
  filters?: { on: number; fields: ReactNode };
  /** Facts about the whole list. */
  facts?: ReactNode;
  isFiltered: boolean;
  onClear: () => void;
  emptyWords: string;
  /** Adds a row, or edits the one given. */
  editor: (row: Row | null, onClose: () => void) => ReactNode;
  removal?: (row: Row, onClose: () => void) => ReactNode;
}

export interface RowActs<Row> {
  onEdit: (row: Row) => void;
  onDelete: (row: Row) => void;
}

/** What Programme Setup keeps of one kind, with the dialogs that add, edit and remove one. */
export function SetupList<Row extends { id: string }>(props: SetupListProps<Row>) {
  const { thing, things, list, columns, search, filters, facts, isFiltered, onClear, emptyWords, editor, removal } =
    props;
  const [edited, setEdited] = useState<Row | 'new' | null>(null);
  const [doomed, setDoomed] = useState<Row | null>(null);
  const addLabel = `Add ${thing}`;
  const onAdd = () => setEdited('new');
  useAskedDialog('add', onAdd);
  const acts = { onEdit: setEdited, onDelete: setDoomed };
  /** Somebody else may change an edited row meanwhile. */
  const asItStands = (row: Row) => list.data?.pages.flatMap(({ rows }) => rows).find(({ id }) => id === row.id) ?? row;
  return (
    <>
      <Stack gap="md">
        <Group justify="space-between" align="flex-end" gap="sm">
          <Box flex={{ base: '1 0 100%', sm: '1 1 0' }}>
            <FilterBar label={`Filter ${things}`} always={search} on={filters?.on ?? 0}>
              {filters?.fields}
            </FilterBar>
          </Box>
          {facts}
          <Button leftSection={<Plus size={16} aria-hidden />} ml="auto" onClick={onAdd}>
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
              columns={columns(acts, rows)}
              rows={rows}
              keyOf={({ id }) => id}
              minWidth={900}
            />
          )}
        </LoadedRows>
        {list.hasNextPage ? (
          <ShowMore isRunning={list.isFetching} hasFailed={list.isError} onMore={() => void list.fetchNextPage()} />
        ) : null}
      </Stack>
      {edited === null ? null : editor(edited === 'new' ? null : asItStands(edited), () => setEdited(null))}
      {doomed ? removal?.(doomed, () => setDoomed(null)) : null}
    </>
  );
}

interface SetupSearchProps {
  /** The fields that are searched. */
  placeholder: string;
  width?: number;
}

/** The search of a list, which stands in the address. */
export function SetupSearch({ placeholder, width = 260 }: SetupSearchProps) {
  const { place, change } = useSetupPlace();
  return (
    <SearchField
      label="Search"
      placeholder={placeholder}
      value={place.search ?? ''}
      onSearch={(search) => change({ search }, { replace: true })}
      flex={`0 1 ${width}px`}
    />
  );
}

const allWeeks = 'all';

/** The week that a list is of, which stands in the address. */
export function SetupWeek() {
  const { place, change } = useSetupPlace();
  return (
    <Select
      label="Week"
      data={[{ value: allWeeks, label: 'All weeks' }, ...weekOptionsOf(Math.max(usualActivityWeeks, place.week ?? 0))]}
      value={place.week ? String(place.week) : allWeeks}
      onChange={(chosen) => change({ week: chosen === allWeeks ? undefined : Number(chosen) })}
      allowDeselect={false}
      w={{ base: '100%', xs: 140 }}
    />
  );
}
