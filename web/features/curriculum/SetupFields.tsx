import { Autocomplete, Checkbox, NumberInput, Select, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { LongText, WholeLine } from '../../ui/LongText.tsx';

/** The part of a form that a field needs. */
interface FormOf<Field extends string, Value> {
  draft: Record<Field, Value>;
  errors: Partial<Record<Field, string>>;
  idOf: (field: Field) => string;
  set: (changes: Record<Field, Value>) => void;
}

interface FieldProps<Field extends string, Value> {
  form: FormOf<Field, Value>;
  name: Field;
  label: string;
  note?: ReactNode;
  required?: boolean;
}

function inputOf<Field extends string, Value>({ form, name, label, note, required = false }: FieldProps<Field, Value>) {
  return {
    id: form.idOf(name),
    label,
    description: note,
    required,
    error: form.errors[name],
    'data-autofocus': required || undefined,
  };
}

function changing<Field extends string, Value>({ form, name }: FieldProps<Field, Value>) {
  return (value: Value) => form.set({ [name]: value } as Record<Field, Value>);
}

export function TextField<Field extends string>({
  maxLength,
  placeholder,
  isLink = false,
  ...field
}: FieldProps<Field, string> & { maxLength: number; placeholder?: string; isLink?: boolean }) {
  const change = changing(field);
  const Line = isLink ? WholeLine : TextInput;
  return (
    <Line
      {...inputOf(field)}
      maxLength={maxLength}
      placeholder={placeholder}
      autoComplete="off"
      value={field.form.draft[field.name]}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

/** Takes any words, and suggests the known ones. */
export function SuggestedField<Field extends string>({
  maxLength,
  suggestions,
  isDisabled = false,
  ...field
}: FieldProps<Field, string> & { maxLength: number; suggestions: string[]; isDisabled?: boolean }) {
  return (
    <Autocomplete
      {...inputOf(field)}
      // What stands in the field is no choice, and would cover the field below.
      data={suggestions.filter((one) => one !== field.form.draft[field.name])}
      limit={30}
      maxLength={maxLength}
      disabled={isDisabled}
      value={field.form.draft[field.name]}
      onChange={changing(field)}
    />
  );
}

export function LongTextField<Field extends string>({
  maxLength,
  ...field
}: FieldProps<Field, string> & { maxLength: number }) {
  const change = changing(field);
  return (
    <LongText
      {...inputOf(field)}
      maxLength={maxLength}
      autosize
      minRows={2}
      maxRows={8}
      value={field.form.draft[field.name]}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

/** A day, or a time of day, in the browser's own picker. */
export function DayField<Field extends string>({
  type = 'date',
  ...field
}: FieldProps<Field, string> & { type?: 'date' | 'time' }) {
  const change = changing(field);
  return (
    <TextInput
      {...inputOf(field)}
      type={type}
      value={field.form.draft[field.name]}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

export function NumberField<Field extends string>(field: FieldProps<Field, number | ''>) {
  const change = changing(field);
  return (
    <NumberInput
      {...inputOf(field)}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="none"
      // Controls tall enough for a finger would reach below the field.
      hideControls
      max={1_000_000}
      value={field.form.draft[field.name]}
      onChange={(value) => change(typeof value === 'number' ? value : '')}
    />
  );
}

export function ChoiceField<Field extends string, Value extends string>({
  options,
  placeholder,
  isSearchable = false,
  isDisabled = false,
  ...field
}: FieldProps<Field, Value | ''> & {
  options: { value: Value; label: string }[];
  placeholder?: string;
  isSearchable?: boolean;
  isDisabled?: boolean;
}) {
  const change = changing(field);
  return (
    <Select
      {...inputOf(field)}
      data={options}
      placeholder={placeholder}
      searchable={isSearchable}
      disabled={isDisabled}
      nothingFoundMessage="Nothing by that name"
      value={field.form.draft[field.name] || null}
      onChange={(value) => change((value ?? '') as Value | '')}
      allowDeselect={!field.required}
      clearable={!field.required}
    />
  );
}

export function SwitchField<Field extends string>(field: FieldProps<Field, boolean>) {
  const change = changing(field);
  return (
    <Switch
      id={field.form.idOf(field.name)}
      label={field.label}
      description={field.note}
      checked={field.form.draft[field.name]}
      onChange={({ currentTarget }) => change(currentTarget.checked)}
    />
  );
}

export function ChecksField<Field extends string, Value extends string>({
  options,
  ...field
}: FieldProps<Field, Value[]> & { options: { value: Value; label: string }[] }) {
  const change = changing(field);
  // The first box gets the id, so that an error leads there.
  const { id, ...group } = inputOf(field);
  return (
    <Checkbox.Group {...group} value={field.form.draft[field.name]} onChange={(values) => change(values as Value[])}>
      {options.map(({ value, label }, index) => (
        <Checkbox key={value} value={value} label={label} mt={6} id={index === 0 ? id : undefined} />
      ))}
    </Checkbox.Group>
  );
}
