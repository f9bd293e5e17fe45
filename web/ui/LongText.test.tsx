import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { draw } from '#test/support/draw.tsx';
import { LongText, WholeLine } from './LongText.tsx';

let sent = 0;
beforeEach(() => {
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

function show(field: typeof LongText | typeof WholeLine): HTMLTextAreaElement | HTMLInputElement {
  draw(<Form of={field} />);
  return screen.getByRole<HTMLTextAreaElement | HTMLInputElement>('textbox', { name: 'Answer' });
}

const write = (field: HTMLElement, text: string) => fireEvent.change(field, { target: { value: text } });

const send = () => act(() => document.forms[0]?.requestSubmit());
const words = () => document.body.textContent;

test.each([
  ['a text', LongText],
  ['a line that is nothing in part', WholeLine],
])('%s that is too long stays whole, says by how much, and its form is not sent', (_, kind) => {
  const field = show(kind);
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
  const field = show(LongText);
  write(field, 'x'.repeat(900));
  expect(words()).not.toContain('of 1,000');
  write(field, 'x'.repeat(901));
  expect(words()).toContain('901 of 1,000 characters');
  write(field, 'x'.repeat(1001));
  expect(words()).toContain('1 character too long. Please shorten it.');
});
