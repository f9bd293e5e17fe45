import { ActionIcon, Button, Modal } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import type { FilteredList, SavedSearch } from '#contract/saved-filters.ts';
import { useIsPhone } from '../../ui/FilterBar.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { usePart } from '../../ui/use-part.ts';

interface SavedFiltersProps {
  list: FilteredList;
  /** The parameters of the address that are filters. What else stands there, as an open dialog, is not kept. */
  of: readonly string[];
  /** The parameters that name a place in the list. Other filters begin without it. */
  places?: readonly string[];
}

/** Keeps the filters of a list under a name, for the person themself, and opens them again. */
export function SavedFilters(props: SavedFiltersProps) {
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {isPhone ? (
        <ActionIcon variant="default" size={44} aria-label="Saved" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <Bookmark size={16} aria-hidden />
        </ActionIcon>
      ) : (
        <Button
          variant="default"
          leftSection={<Bookmark size={16} aria-hidden />}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          Saved
        </Button>
      )}
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Saved filters">
        <Opened {...props} onClose={() => setOpen(false)} />
      </Modal>
    </>
  );
}

function Opened({ list, of, places = [], onClose }: SavedFiltersProps & { onClose: () => void }) {
  const part = usePart('saved filters', () => import('./SavedFilterList.tsx'));
  const address = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const open = (search: SavedSearch) => {
    onClose();
    const without = Object.fromEntries([...of, ...places].map((name) => [name, undefined]));
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...without, ...byName(search, of) }),
      resetScroll: false,
    });
  };
  return (
    <Loaded read={part} failure="This could not be loaded" loading={{ label: 'Loading', rows: 2 }}>
      {({ SavedFilterList }) => <SavedFilterList list={list} present={only(of, address)} onOpen={open} />}
    </Loaded>
  );
}

function only(names: readonly string[], search: Readonly<Record<string, unknown>>): SavedSearch {
  return names.flatMap((name) => {
    const value = search[name];
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [{ name, value }]
      : [];
  });
}

/** What the list has no filter for any more is left out. */
function byName(search: SavedSearch, names: readonly string[]) {
  return Object.fromEntries(search.flatMap(({ name, value }) => (names.includes(name) ? [[name, value]] : [])));
}
