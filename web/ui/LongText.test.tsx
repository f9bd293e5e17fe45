import { MantineProvider } from '@mantine/core';
import { act, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LongText, WholeLine } from './LongText.tsx';

let root: Root | null = null;
let sent = 0;
beforeEach(() => void vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true));
afterEach(() => {
  act(() => root?.unmount());
  vi.unstubAllGlobals();
  document.body.replaceChildren();
  sent = 0;
});

function Form({ of: Field }: { of: typeof LongText | typeof WholeLine }) {
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sent += 1;
      }}
    >
      <Field
        label="Answer"
        maxLength={1000}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    </form>
  );
}

function render(field: typeof LongText | typeof WholeLine): HTMLTextAreaElement | HTMLInputElement {
  root = createRoot(document.body.appendChild(document.createElement('div')));
  act(() =>
    root?.render(
      <MantineProvider env="test">
        <Form of={field} />
      </MantineProvider>,
    ),
  );
  const found = document.querySelector<HTMLTextAreaElement | HTMLInputElement>('[id^=mantine]:is(input, textarea)');
  if (!found) throw new Error('There is no field.');
  return found;
}

function write(field: HTMLTextAreaElement | HTMLInputElement, text: string): void {
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value') ?? {};
  act(() => {
    set?.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

const send = () => act(() => document.forms[0]?.requestSubmit());
const words = () => document.body.textContent;

test.each([
  ['a text', LongText],
  ['a line that is nothing in part', WholeLine],
])('%s that is too long stays whole, says by how much, and its form is not sent', (_, kind) => {
  const field = render(kind);
  const pasted = 'x'.repeat(1234);
  write(field, pasted);
  expect(field.value).toBe(pasted);
  expect(field.maxLength).toBe(-1);
  expect(words()).toContain('234 characters too long. Please shorten it.');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  send();
  expect(sent).toBe(0);
  expect(document.activeElement).toBe(field);
  write(field, 'x'.repeat(1000));
  expect(words()).not.toContain('too long');
  send();
  expect(sent).toBe(1);
});

test('near its end a text is counted', () => {
  const field = render(LongText);
  write(field, 'x'.repeat(900));
  expect(words()).not.toContain('of 1,000');
  write(field, 'x'.repeat(901));
  expect(words()).toContain('901 of 1,000 characters');
  write(field, 'x'.repeat(1001));
  expect(words()).toContain('1 character too long. Please shorten it.');
});
