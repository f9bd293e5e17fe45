import { Button, Select } from '@mantine/core';
import { X } from 'lucide-react';
import { Id } from '#contract/endpoint.ts';
import { ResourceOrder, ResourceType } from '#contract/resources.ts';
import { TrackType } from '#contract/roles.ts';
import { countOn, FilterBar } from '../../ui/FilterBar.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import type { ChangePlace, ResourcePlace } from './resource-place.ts';
import { optionsOf, orderNames, programNames, typeNames } from './resource-words.ts';
import type { Programs } from './use-programs.ts';

interface ResourceFiltersProps {
  place: ResourcePlace;
  /** The modules of all resources in the list (RES-04). */
  modules: string[];
  /** The kinds of all resources in the list. Missing if it has no filter of them (RES-04). */
  kinds?: TrackType[];
  /** Missing if the list has no filter of programs. */
  programs?: Programs;
  onChange: ChangePlace;
}

const all = 'all';
/** Stands before a module's name, which may itself be 'all'. */
const named = 'module:';
const types = optionsOf(typeNames);
const orders = optionsOf(orderNames);
const width = { base: 'calc(50% - 6px)', xs: 136 };

/** RES-02 to RES-05, RES-37 */
export function ResourceFilters({ place, modules, kinds, programs, onChange }: ResourceFiltersProps) {
  const offered = withChosen(modules, place.module);
  return (
    <FilterBar
      label="Filter resources"
      always={
        <SearchField
          label="Search"
          placeholder="Title or description"
          value={place.search ?? ''}
          onSearch={(search) => onChange({ search })}
          flex="1 1 160px"
        />
      }
      on={countOn(place.type, kinds && place.program, programs && place.programme, place.module)}
    >
      <Select
        label="File type"
        data={[{ value: all, label: 'All types' }, ...types]}
        value={place.type ?? all}
        onChange={(type) => onChange({ type: ResourceType.safeParse(type).data })}
        allowDeselect={false}
        w={width}
      />
      {kinds ? (
        <Select
          label="Program"
          data={[
            { value: all, label: 'All programs' },
            ...optionsOf(programs?.find(place.programme)?.kindLabels ?? programNames, withChosen(kinds, place.program)),
          ]}
          value={place.program ?? all}
          onChange={(program) => onChange({ program: TrackType.safeParse(program).data })}
          allowDeselect={false}
          w={width}
        />
      ) : null}
      {programs?.isChoice ? (
        <Select
          label="Only for"
          data={[{ value: all, label: 'Any' }, ...programs.options]}
          value={place.programme ?? all}
          description={programs.notLoaded}
          onChange={(programme) => onChange({ programme: Id.safeParse(programme).data })}
          allowDeselect={false}
          w={width}
        />
      ) : null}
      <Select
        label="Module"
        data={[
          { value: all, label: 'All modules' },
          ...offered.map((module) => ({ value: named + module, label: module })),
        ]}
        value={place.module ? named + place.module : all}
        onChange={(chosen) => onChange({ module: chosen?.startsWith(named) ? chosen.slice(named.length) : undefined })}
        allowDeselect={false}
        searchable={offered.length > 10}
        nothingFoundMessage="No module by that name"
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        maxDropdownHeight={320}
        w={{ ...width, xs: 160 }}
      />
      <Select
        label="Sort by"
        data={orders}
        value={place.order ?? 'newest'}
        onChange={(chosen) => {
          const order = ResourceOrder.safeParse(chosen).data;
          onChange({ order: order === 'newest' ? undefined : order });
        }}
        allowDeselect={false}
        w={width}
      />
    </FilterBar>
  );
}

/** Stands below the filters, because they must not move while somebody reaches for the next one. */
export function ClearFilters({ onClear }: { onClear: () => void }) {
  return (
    <Button variant="subtle" size="compact-sm" leftSection={<X size={15} aria-hidden />} onClick={onClear}>
      Clear filters
    </Button>
  );
}

/** Keeps the value from the address among the options, even if no resource has it any more. */
function withChosen<Value>(values: Value[], chosen: Value | undefined): Value[] {
  return chosen && !values.includes(chosen) ? [...values, chosen] : values;
}
