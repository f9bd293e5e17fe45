import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import {
  type FilteredList,
  listSavedFilters,
  NewSavedFilters,
  removeSavedFilters,
  renameSavedFilters,
  type SavedFilters,
  SavedFiltersName,
  type SavedSearch,
  saveFilters,
} from '#contract/saved-filters.ts';
import { messageOf } from '../../api/api-error.ts';
import { queryFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { useForm } from '../../ui/use-form.ts';

interface SavedFilterListProps {
  list: FilteredList;
  /** The filters that are on now. */
  present: SavedSearch;
  onOpen: (search: SavedSearch) => void;
}

/** What the person keeps for this list. */
export function SavedFilterList({ list, present, onOpen }: SavedFilterListProps) {
  const kept = useQuery(queryFor(listSavedFilters, { query: { list } }));
  const [renamed, setRenamed] = useState<string | null>(null);
  return (
    <Stack gap="lg">
      <Loaded
        read={kept}
        failure="Your saved filters could not be loaded"
        loading={{ label: 'Loading your saved filters', rows: 2 }}
      >
        {({ rows }) =>
          rows.length === 0 ? (
            <Text c="dimmed">You have no saved filters here yet. Set filters, then give them a name below.</Text>
          ) : (
            <Stack gap={4} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
              {rows.map((filters) => (
                <li key={filters.id}>
                  {renamed === filters.id ? (
                    <Rename filters={filters} onEnd={() => setRenamed(null)} />
                  ) : (
                    <Kept
                      filters={filters}
                      onOpen={() => onOpen(filters.search)}
                      onRename={() => setRenamed(filters.id)}
                    />
                  )}
                </li>
              ))}
            </Stack>
          )
        }
      </Loaded>
      <Keep list={list} present={present} />
    </Stack>
  );
}

interface KeptProps {
  filters: SavedFilters;
  onOpen: () => void;
  onRename: () => void;
}

function Kept({ filters: { id, name }, onOpen, onRename }: KeptProps) {
  const removal = useAction(removeSavedFilters, {
    success: () => ({ title: 'Filters Removed', message: name }),
    failureTitle: 'Not Removed',
  });
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        variant="subtle"
        justify="flex-start"
        flex={1}
        miw={0}
        onClick={onOpen}
        title={name}
        styles={{ label: { display: 'block', textOverflow: 'ellipsis' } }}
      >
        {name}
      </Button>
      <ActionIcon variant="subtle" size="lg" aria-label={`Rename ${name}`} onClick={onRename}>
        <Pencil size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="red"
        size="lg"
        aria-label={`Remove ${name}`}
        loading={removal.isRunning}
        onClick={() => removal.run({ params: { id } })}
      >
        <Trash2 size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

function Rename({ filters, onEnd }: { filters: SavedFilters; onEnd: () => void }) {
  const form = useForm({ name: filters.name });
  const renaming = useAction(renameSavedFilters, {
    onSuccess: onEnd,
    onError: (error) => form.showErrors({ name: messageOf(error) }),
  });
  const rename = () => {
    const body = form.check(SavedFiltersName);
    if (body) renaming.run({ params: { id: filters.id }, body });
  };
  return (
    <form noValidate onSubmit={form.submit(rename)}>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <TextInput
          id={form.idOf('name')}
          aria-label={`New name of ${filters.name}`}
          value={form.draft.name}
          maxLength={limitOf(SavedFiltersName, 'name')}
          onChange={({ currentTarget }) => form.set({ name: currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            // Otherwise it would close the dialog too.
            event.stopPropagation();
            onEnd();
          }}
          error={form.errors.name}
          flex={1}
          autoFocus
        />
        <Button type="submit" loading={renaming.isRunning}>
          Rename
        </Button>
      </Group>
    </form>
  );
}

function Keep({ list, present }: Pick<SavedFilterListProps, 'list' | 'present'>) {
  const form = useForm({ name: '' });
  const keeping = useAction(saveFilters, {
    success: ({ name }) => ({ title: 'Filters Saved', message: name }),
    onSuccess: () => form.set({ name: '' }),
    onError: (error) => form.showErrors({ name: messageOf(error) }),
  });
  if (present.length === 0) {
    return <Text size="sm">No filter is on now, so there is nothing to save.</Text>;
  }
  const keep = () => {
    const body = form.check(NewSavedFilters, { list, name: form.draft.name, search: present });
    if (body) keeping.run({ body });
  };
  return (
    <form noValidate onSubmit={form.submit(keep)}>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <TextInput
          id={form.idOf('name')}
          label="Save the present filters as"
          placeholder="A name"
          value={form.draft.name}
          maxLength={limitOf(NewSavedFilters, 'name')}
          onChange={({ currentTarget }) => form.set({ name: currentTarget.value })}
          error={form.errors.name}
          flex={1}
        />
        {/* Beside the field, below its label, whether or not the field says what is wrong. */}
        <Button type="submit" loading={keeping.isRunning} mt={24}>
          Save
        </Button>
      </Group>
    </form>
  );
}
