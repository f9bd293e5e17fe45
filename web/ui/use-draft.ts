import { useId, useState } from 'react';
import type { z } from 'zod';
import { ApiError } from '../api/api-error.ts';

type Errors<Draft> = Partial<Record<keyof Draft, string>>;

export type DraftForm<Draft> = ReturnType<typeof useDraft<Draft & object>>;

/** The values in a form's fields, and the error at each. */
export function useDraft<Draft extends object>(initial: Draft) {
  const [draft, setDraft] = useState(initial);
  const [errors, setErrors] = useState<Errors<Draft>>({});
  const formId = useId();
  const idOf = (field: keyof Draft) => `${formId}-${String(field)}`;
  const showErrors = (found: Errors<Draft>) => {
    setErrors(found);
    const first = (Object.keys(initial) as (keyof Draft)[]).find((field) => found[field]);
    // A field that was disabled while the form was sent can take the focus only after the next drawing.
    if (first) requestAnimationFrame(() => document.getElementById(idOf(first))?.focus());
  };
  return {
    draft,
    errors,
    idOf,
    set: (changes: Partial<Draft>) => {
      setDraft((before) => ({ ...before, ...changes }));
      setErrors((before) => {
        const left = Object.entries(before).filter(([field]) => !(field in changes));
        return Object.fromEntries(left) as Errors<Draft>;
      });
    },
    begin: (from: Draft) => {
      setDraft(from);
      setErrors({});
    },
    showErrors,
    differsFrom: (other: Draft) => fieldsThatDiffer(draft, other).length > 0,
    /** Returns the facts to send. If the server would refuse them, shows each refusal at its field and returns null. */
    check: <Facts>(schema: z.ZodType<Facts>, given: unknown = draft): Facts | null => {
      const parsed = schema.safeParse(given);
      if (parsed.success) return parsed.data;
      showErrors(errorsOf<Draft>(parsed.error.issues.map(({ path, message }) => ({ path: String(path[0]), message }))));
      return null;
    },
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
