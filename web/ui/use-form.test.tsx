import { globSync, readFileSync } from 'node:fs';
import { Button, Checkbox, Select, TextInput } from '@mantine/core';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { draw } from '#test/support/draw.tsx';
import { ApiError } from '../api/api-error.ts';
import { useForm, written } from './use-form.ts';

const empty = { name: '', email: '', isNew: false };
type Draft = typeof empty;

const schema = z.object({
  // As in contracts, the order of a schema's fields is not that of the screen.
  email: z.string().trim().min(1, 'Please enter an address').includes('@', { message: 'An address has an @' }),
  name: written('Please enter a name'),
  isNew: z.boolean(),
});

let form: ReturnType<typeof useForm<Draft>>;
let sent: unknown[] = [];
let refusedTimes = 0;

function Person({ areFieldsOff = false }: { areFieldsOff?: boolean }) {
  form = useForm(empty);
  return (
    <form
      aria-label="Person"
      noValidate
      onSubmit={form.submit(
        schema,
        (facts) => sent.push(facts),
        () => {
          refusedTimes += 1;
        },
      )}
    >
      <TextInput label="Name" disabled={areFieldsOff} {...form.field('name')} />
      <TextInput label="Email" disabled={areFieldsOff} {...form.field('email')} />
      <Checkbox label="New" {...form.ticked('isNew')} />
      <Button type="submit">Send</Button>
    </form>
  );
}

function show(): (areFieldsOff: boolean) => void {
  sent = [];
  refusedTimes = 0;
  const { rerender } = draw(<Person />);
  return (areFieldsOff) => rerender(<Person areFieldsOff={areFieldsOff} />);
}
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const send = () => fireEvent.submit(screen.getByRole('form'));
const errorAt = (name: string) =>
  field(name).getAttribute('aria-invalid') === 'true'
    ? (document.getElementById(field(name).getAttribute('aria-describedby') ?? '')?.textContent ?? '')
    : null;
const refusal = (errors: { path: string; message: string }[]) =>
  new ApiError({ code: 'invalid_input', status: 400, detail: 'Please look again.', errors, instance: null });

test('what the schema refuses is not sent: each field shows its first refusal, and the first of the screen has the focus', () => {
  show();
  send();
  expect([errorAt('Name'), errorAt('Email')]).toEqual(['Please enter a name', 'Please enter an address']);
  expect(document.activeElement).toBe(field('Name'));
  expect([sent, refusedTimes]).toEqual([[], 1]);

  type('Name', 'Ada');
  send();
  expect([errorAt('Name'), errorAt('Email')]).toEqual([null, 'Please enter an address']);
  expect(document.activeElement).toBe(field('Email'));
});

test('what is sent is what the schema makes of what was typed, and what was typed stays', () => {
  show();
  type('Name', 'Ada ');
  type('Email', ' ada@example.org ');
  fireEvent.click(screen.getByRole('checkbox', { name: 'New' }));
  send();
  expect(sent).toEqual([{ name: 'Ada ', email: 'ada@example.org', isNew: true }]);
  expect(field('Email').value).toBe(' ada@example.org ');
});

test('a change takes away the refusal of its field and no other', () => {
  show();
  send();
  type('Email', 'a');
  expect([errorAt('Name'), errorAt('Email')]).toEqual(['Please enter a name', null]);
});

test("the server's refusals stand at their fields, wherever in the body they are, and nothing typed is lost", () => {
  show();
  type('Name', 'Ada');
  type('Email', 'ada@example.org');
  act(() => form.showRefusal(refusal([{ path: 'person.email', message: 'Taken' }])));
  expect([errorAt('Name'), errorAt('Email')]).toEqual([null, 'Taken']);
  expect(document.activeElement).toBe(field('Email'));
  expect([field('Name').value, field('Email').value]).toEqual(['Ada', 'ada@example.org']);

  act(() => form.showRefusal(refusal([])));
  act(() => form.showRefusal(new Error('The way is closed')));
  expect(errorAt('Email')).toBe('Taken');
});

test('what the server refused goes when the form is sent again', () => {
  show();
  type('Name', 'Ada');
  type('Email', 'ada@example.org');
  act(() => form.showErrors({ email: 'Taken' }));
  send();
  expect([errorAt('Email'), sent.length]).toEqual([null, 1]);
});

test('a refused field that was disabled while the form was sent takes the focus once it is there again', async () => {
  const turn = show();
  turn(true);
  act(() => {
    form.showErrors({ email: 'Taken' });
    turn(false);
  });
  await waitFor(() => expect(document.activeElement).toBe(field('Email')));
});

test('a form is dirty as long as it differs from what it began with', () => {
  show();
  expect(form.isDirty).toBe(false);
  type('Name', 'Ada');
  expect([form.isDirty, form.differsFrom({ ...empty, name: 'Ada' })]).toEqual([true, false]);
  type('Name', '');
  expect(form.isDirty).toBe(false);

  type('Name', 'Ada');
  act(() => form.showErrors({ name: 'Taken' }));
  act(() => form.begin({ ...empty, name: 'Grace' }));
  expect([field('Name').value, errorAt('Name'), form.isDirty]).toEqual(['Grace', null, false]);
  type('Name', 'Ada');
  act(() => form.reset());
  expect([field('Name').value, form.isDirty]).toEqual(['Grace', false]);
});

test('changes that come together are all kept, also those from an earlier drawing', () => {
  show();
  const { set } = form;
  type('Name', 'Ada');
  act(() => {
    set({ email: 'ada@example.org' });
    set({ isNew: true });
  });
  expect(form.typed()).toEqual({ name: 'Ada', email: 'ada@example.org', isNew: true });
  expect(form.draft).toEqual(form.typed());
});

test('two forms of the same fields each have the focus at their own', () => {
  sent = [];
  draw(
    <>
      <Person />
      <Second />
    </>,
  );
  fireEvent.submit(screen.getByRole('form', { name: 'Second' }));
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Second email' }));
});

function Second() {
  const second = useForm({ email: '' });
  return (
    <form aria-label="Second" noValidate onSubmit={second.submit(schema.pick({ email: true }), () => undefined)}>
      <TextInput label="Second email" {...second.field('email')} />
    </form>
  );
}

test('a choice is set as its value, and a form without a schema sends what is typed', () => {
  let chosen: unknown;
  function Choice() {
    const choice = useForm({ color: 'red' });
    return (
      <form
        aria-label="Choice"
        onSubmit={choice.submit((draft) => {
          chosen = draft;
        })}
      >
        <Select label="Color" data={['red', 'blue']} {...choice.field('color')} />
      </form>
    );
  }
  draw(<Choice />);
  fireEvent.click(screen.getByRole('combobox', { name: 'Color' }));
  fireEvent.click(screen.getByRole('option', { name: 'blue', hidden: true }));
  send();
  expect(chosen).toEqual({ color: 'blue' });
});

/** The engine holds what a form begins with until it is sent. These forms hold something else, or nothing. */
const exceptions = [
  'web/features/accounts/second-factor/SignInPolicySection.tsx', // two checkboxes over a rule that others may change: untouched, they follow it
  'web/features/coaching/BookingLinkForm.tsx', // only what differs from the stored setup is held, so that the rest follows another save
  'web/features/coaching/SlotDialog.tsx', // one text, which the page keeps for the next half hour that is chosen
  'web/features/curriculum/programme/RulesEditor.tsx', // rows within rows, kept as a draft on the server
  'web/features/notices/PreferencesForm.tsx', // switches, none of which can be refused
  'web/features/submissions/ReviewForm.tsx', // use-review-draft.ts keeps the words on the server, also when the form closes
  'web/features/submissions/SubmissionForm.tsx', // use-assignment-draft.ts keeps the words on the server, also when the form closes
];
const codeForms = [
  'web/features/accounts/second-factor/SecondFactorForm.tsx',
  'web/features/accounts/second-factor/TurnOffSecondFactor.tsx',
];

test('no form holds its fields and errors by its own code', () => {
  const files = globSync('web/{app,features,ui}/**/*.{ts,tsx}').filter((file) => !file.includes('.test.'));
  const text = (file: string) => readFileSync(file, 'utf8');
  expect(files.filter((file) => text(file).includes("from '@mantine/form'"))).toEqual(['web/ui/use-form.ts']);

  const forms = files.filter((file) => /<form\b|component="form"/.test(text(file)));
  expect(forms.length).toBeGreaterThan(30);
  const byHand = forms.filter((file) => !/\buse(Resource)?Form\b/.test(text(file)));
  expect(byHand.toSorted()).toEqual([...exceptions, ...codeForms].toSorted());
  expect(codeForms.filter((file) => !text(file).includes('useCodeForm'))).toEqual([]);
  const ownErrors = /error=\{\s*is(Missing|Asked|Refused|Tried)|set(Missing|Refused|Problem)\(/;
  const withOwnErrors = files.filter((file) => file.endsWith('.tsx') && ownErrors.test(text(file)));
  expect(withOwnErrors.toSorted()).toEqual([
    'web/features/coaching/WeeklyRatingRow.tsx', // a row of a grid, saved as each field is left
    'web/features/submissions/ReviewForm.tsx',
    'web/features/submissions/SubmissionForm.tsx',
    'web/ui/FileUpload.tsx', // a file on its way
  ]);
});
