import type { UseFormReturnType } from '@mantine/form';
import { ApiError } from '../../api/api-error.ts';

type Form<Values extends object> = Pick<UseFormReturnType<Values>, 'getInputNode' | 'setErrors'>;

/** Moves the focus to the first field with an error, which makes a screen reader read it. */
export function focusFirstError<Values extends object>(form: Form<Values>, errors: object): void {
  const nodes = Object.keys(errors)
    .map((path) => form.getInputNode(path))
    .filter((node) => node !== null);
  const [first] = nodes.toSorted((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1,
  );
  first?.focus();
}

/** Shows each of the server's refusals at its field. */
export function showServerErrors<Values extends object>(form: Form<Values>, error: unknown): void {
  if (!(error instanceof ApiError) || error.fieldErrors.length === 0) return;
  const errors = Object.fromEntries(error.fieldErrors.map(({ path, message }) => [path, message]));
  form.setErrors(errors);
  focusFirstError(form, errors);
}
