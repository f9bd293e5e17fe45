import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { AuditPart, readAuditChoices } from '#contract/audit.ts';
import { queryFor } from '../../api/query-for.ts';
import { countOn, FilterBar } from '../../ui/FilterBar.tsx';
import { choicesNotLoaded } from '../../ui/NotLoaded.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { SavedFilters } from '../saved-filters/SavedFilters.tsx';
import { AuditPersonField } from './AuditPersonField.tsx';
import type { AuditPlace, ChangePlace } from './audit-place.ts';
import { actionInWords, kindInWords } from './audit-words.ts';

interface AuditFiltersProps {
  place: AuditPlace;
  isFiltered: boolean;
  onChange: ChangePlace;
  onClear: () => void;
}

const all = 'all';
const parts = [
  { value: all, label: 'By or about them' },
  { value: 'by', label: 'By them' },
  { value: 'about', label: 'About them' },
];
const kept = ['search', 'person', 'part', 'action', 'kind', 'subject', 'from', 'to'];
const width = { base: '100%', xs: 190 };

export function AuditFilters({ place, isFiltered, onChange, onClear }: AuditFiltersProps) {
  const choices = useQuery(queryFor(readAuditChoices));
  return (
    <FilterBar
      label="Filter the audit log"
      always={
        <SearchField
          label="Search"
          placeholder="Name or title"
          value={place.search ?? ''}
          onSearch={(search) => onChange({ search }, { replace: true })}
          flex="1 1 240px"
        />
      }
      on={countOn(place.person, place.part, place.action, place.kind, place.from, place.to)}
      onClear={isFiltered ? onClear : null}
      saved={<SavedFilters list="audit" of={kept} places={['cursor']} />}
    >
      <AuditPersonField
        key={place.person ?? all}
        personId={place.person}
        onChange={(person) => onChange({ person, part: undefined })}
      />
      {place.person ? (
        <Select
          label="Their part"
          data={parts}
          value={place.part ?? all}
          onChange={(chosen) => onChange({ part: AuditPart.safeParse(chosen).data })}
          allowDeselect={false}
          w={{ base: '100%', xs: 220 }}
        />
      ) : null}
      <Choice
        label="Action"
        everything="All actions"
        values={choices.data?.actions ?? []}
        notLoaded={choicesNotLoaded('the actions', choices)}
        chosen={place.action}
        inWords={actionInWords}
        onChoose={(action) => onChange({ action })}
      />
      <Choice
        label="Kind of record"
        everything="All kinds"
        values={choices.data?.kinds ?? []}
        notLoaded={choicesNotLoaded('the kinds of record', choices)}
        chosen={place.kind}
        inWords={kindInWords}
        onChoose={(kind) => onChange({ kind })}
      />
      <DayField label="From" value={place.from} max={place.to} onChoose={(from) => onChange({ from })} />
      <DayField label="To" value={place.to} min={place.from} onChoose={(to) => onChange({ to })} />
    </FilterBar>
  );
}

interface ChoiceProps {
  label: string;
  everything: string;
  values: string[];
  chosen: string | undefined;
  notLoaded: ReactNode;
  inWords: (value: string) => string;
  onChoose: (value: string | undefined) => void;
}

function Choice({ label, everything, values, chosen, notLoaded, inWords, onChoose }: ChoiceProps) {
  const offered = chosen && !values.includes(chosen) ? [...values, chosen] : values;
  const options = offered.map((value) => ({ value, label: inWords(value) }));
  return (
    <Select
      label={label}
      data={[
        { value: all, label: everything },
        ...options.toSorted((one, other) => one.label.localeCompare(other.label)),
      ]}
      value={chosen ?? all}
      onChange={(value) => onChoose(value === null || value === all ? undefined : value)}
      allowDeselect={false}
      searchable={offered.length > 10}
      nothingFoundMessage="Nothing by that name"
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      maxDropdownHeight={320}
      description={notLoaded}
      w={width}
    />
  );
}

interface DayFieldProps {
  label: string;
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onChoose: (day: string | undefined) => void;
}

/** Programme days. The browser's own field answers '' for an unfinished day. */
function DayField({ label, value, min, max, onChoose }: DayFieldProps) {
  return (
    <TextInput
      label={label}
      type="date"
      value={value ?? ''}
      min={min ?? '2000-01-01'}
      max={max}
      onChange={({ currentTarget }) => onChoose(currentTarget.value || undefined)}
      w={{ base: 'calc(50% - 6px)', xs: 150 }}
    />
  );
}
