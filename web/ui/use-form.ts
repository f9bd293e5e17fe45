import { useForm as useMantineForm } from '@mantine/form';
import { type FormEvent, useId } from 'react';
import { z } from 'zod';
import { ApiError } from '../api/api-error.ts';

/*
 * What every form does, with the values, errors and field props of @mantine/form below it:
 * - What is sent has passed a schema, mostly one of the contract's. Each refusal shows at its field, the server's too.
 * - The first field that is refused takes the focus. Changing a field clears its refusal, and no other.
 * - Nothing that is typed goes before the form says so. `isDirty` feeds `useUnsavedChanges` and `useTellUnsaved`.
 */

type Errors<Draft> = Partial<Record<keyof Draft, string>>;
type Handler = (event: FormEvent) => void;

export type DraftForm<Draft> = ReturnType<typeof useForm<Draft & object>>;

/** What a part of a form needs that only draws its fields. */
export interface FieldsOf<Name extends string> {
  field: (name: Name) => object;
}

/** The values in a form's fields, and the error at each. */
export function useForm<Draft extends object>(initial: Draft) {
  const form = useMantineForm<Draft>({ initialValues: initial });
  const formId = useId();
  const idOf = (field: keyof Draft) => `${formId}-${String(field)}`;
  const showErrors = (found: Errors<Draft>) => {
    form.setErrors(found as Record<string, string>);
    focusFirst(Object.keys(found).map((field) => idOf(field as keyof Draft)));
  };
  /** Returns the facts to send. If the server would refuse them, shows each refusal at its field and returns null. */
  const check = <Facts>(schema: z.ZodType<Facts>, given: unknown = form.getValues()): Facts | null => {
    form.clearErrors();
    const parsed = schema.safeParse(given);
    if (parsed.success) return parsed.data;
    showErrors(errorsOf<Draft>(parsed.error.issues.map(({ path, message }) => ({ path: String(path[0]), message }))));
    return null;
  };
  function submit(send: (draft: Draft) => void): Handler;
  function submit<Facts>(schema: z.ZodType<Facts>, send: (facts: Facts) => void, onRefused?: () => void): Handler;
  function submit<Facts>(
    first: z.ZodType<Facts> | ((draft: Draft) => void),
    send?: (facts: Facts) => void,
    onRefused?: () => void,
  ): Handler {
    return (event) => {
      event.preventDefault();
      if (typeof first === 'function') {
        form.clearErrors();
        return first(form.getValues());
      }
      const facts = check(first);
      if (facts === null) onRefused?.();
      else send?.(facts);
    };
  }
  return {
    draft: form.values,
    /** The values as they are by now, also for a callback that an earlier drawing made. */
    typed: form.getValues,
    /** The values that the form began with. */
    initial: form.getInitialValues,
    errors: form.errors as Errors<Draft>,
    isDirty: fieldsThatDiffer(form.values, form.getInitialValues()).length > 0,
    idOf,
    /** The props of a field. A checkbox or switch takes those of `ticked`. */
    field: <Name extends keyof Draft & string>(name: Name) => ({
      ...form.getInputProps(name),
      id: idOf(name),
      value: form.values[name],
    }),
    ticked: (name: keyof Draft & string) => ({ ...form.getInputProps(name, { type: 'checkbox' }), id: idOf(name) }),
    set: (changes: Partial<Draft>) => {
      for (const [field, value] of Object.entries(changes)) form.setFieldValue(field as never, value as never);
    },
    /** Puts these values in all fields. The form counts as untouched. */
    begin: (from: Draft) => {
      form.setInitialValues(from);
      form.reset();
    },
    /** Returns to the values that the form began with. */
    reset: form.reset,
    focus: (field: keyof Draft) => focusFirst([idOf(field)]),
    showErrors,
    differsFrom: (other: Draft) => fieldsThatDiffer(form.values, other).length > 0,
    check,
    submit,
    showRefusal: (error: unknown) => {
      if (!(error instanceof ApiError) || error.fieldErrors.length === 0) return;
      showErrors(
        errorsOf<Draft>(
          error.fieldErrors.map(({ path, message }) => ({ path: path.split('.').at(-1) ?? path, message })),
        ),
      );
    },
  };
}

/** A text that must say something. It is sent as it was written. */
export function written(missing: string) {
  return z.string().refine((text) => text.trim() !== '', missing);
}

export function fieldsThatDiffer<Draft extends object>(one: Draft, other: Draft): (keyof Draft)[] {
  return (Object.keys(one) as (keyof Draft)[]).filter(
    (field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]),
  );
}

function errorsOf<Draft>(found: { path: string; message: string }[]): Errors<Draft> {
  const errors: Record<string, string> = {};
  for (const { path, message } of found) errors[path] ??= message;
  return errors as Errors<Draft>;
}

/** Moves the focus to the field that stands first on the screen, which makes a screen reader read it. */
function focusFirst(ids: string[]): void {
  const field = () =>
    ids
      .map((id) => document.getElementById(id))
      .filter((node) => node !== null)
      .toSorted((one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1))
      .at(0);
  field()?.focus();
  // A field that was disabled while the form was sent can take the focus only after the next drawing.
  requestAnimationFrame(() => {
    const first = field();
    if (first !== document.activeElement) first?.focus();
  });
}
