import { act } from '@testing-library/react';
import { Upload } from 'tus-js-client';
import { expect, test, vi } from 'vitest';
import { sendMessage } from '#contract/messages.ts';
import { problemFor } from '#server/platform/errors.ts';
import {
  answerWith,
  field,
  openTab,
  person,
  press,
  render,
  setUpComposer,
  told,
  type,
  userId,
} from '#test/support/composer.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import type * as thisTab from './unsent.ts';
import { forgetUnsent, saveDraft, unsentOf } from './unsent.ts';

setUpComposer();

const longestMessage = limitOf(sendMessage.body, 'text');

test('MSG-17 sending nothing, or nothing but spaces, says Message Required and keeps nothing to send', () => {
  render();
  for (const text of ['', '  \n ']) {
    type(text);
    press('Enter');
  }
  const required = ['Message Required', 'Please enter a message or attach a file'];
  expect(told).toEqual([required, required]);
  expect(unsentOf(userId).outgoing).toEqual([]);
});

test('MSG-20 Enter sends; Shift+Enter, and Enter that ends a composed word, do not', () => {
  render();
  type('Hello');
  expect(press('Enter', { shiftKey: true })).toBe(true);
  expect(press('Enter', { isComposing: true })).toBe(true);
  expect(unsentOf(userId).outgoing).toEqual([]);
  expect(press('Enter')).toBe(false);
  expect(unsentOf(userId).outgoing).toMatchObject([{ text: 'Hello', recipientId: person.id }]);
  expect(field().value).toBe('');
});

test('MSG-19 MSG-23 a file that is refused is told as a failed upload, and no message is sent', () => {
  render();
  type('See this');
  const chooser = document.querySelector('input[type=file]') as HTMLInputElement;
  expect(chooser.accept).toBe('.pdf,.doc,.docx,.txt,.jpg,.jpeg,.png,.gif,.bmp,.webp,.svg,image/*');
  Object.defineProperty(chooser, 'files', { value: [new File(['MZ'], 'program.exe')] });
  act(() => {
    chooser.dispatchEvent(new Event('change', { bubbles: true }));
  });
  expect(told).toEqual([['Send Failed', expect.stringContaining('file upload failed: File type not allowed.')]]);
  expect(unsentOf(userId)).toMatchObject({ outgoing: [], drafts: { [person.id]: { text: 'See this' } } });
});

test("MSG-22 a refused message says Send Failed with the server's words, and its text is kept", async () => {
  const says = 'You can only write to your own coach.';
  answerWith(async () => Response.json(problemFor('forbidden', says, 'r', null), { status: 403 }));
  render({ isSending: true });
  type('Keep me');
  press('Enter');
  await act(() => vi.waitFor(() => expect(told).toEqual([['Send Failed', says]])));
  expect(unsentOf(userId).outgoing).toMatchObject([{ text: 'Keep me', failure: says }]);
  expect(JSON.stringify({ ...localStorage })).toContain('Keep me');
});

test('MSG-22 a message that found storage full says so at its place and waits for a person, with its text', async () => {
  const says = 'Storage is full, so this was not saved. Please tell an administrator, and try again later.';
  answerWith(async () => Response.json(problemFor('storage_full', says, 'r', null), { status: 507 }));
  render({ isSending: true });
  type('Keep me');
  press('Enter');
  await act(() => vi.waitFor(() => expect(told).toEqual([['Send Failed', says]])));
  expect(unsentOf(userId).outgoing).toMatchObject([{ text: 'Keep me', failure: says }]);
});

test('MSG-20 a second Enter after a message that went asks for nothing; one on an empty field does', () => {
  render();
  type('Hello');
  press('Enter');
  press('Enter');
  press('Enter', { repeat: true });
  expect(told).toEqual([]);
  type('x');
  type('');
  press('Enter', { repeat: true });
  expect(told).toEqual([]);
  press('Enter');
  expect(told).toEqual([['Message Required', 'Please enter a message or attach a file']]);
});

test('MSG-17 Send, pressed on an empty field, says Message Required also right after a message', () => {
  render();
  type('Hello');
  press('Enter');
  act(() => document.querySelector<HTMLButtonElement>('button[aria-label="Send message"]')?.click());
  expect(told).toEqual([['Message Required', 'Please enter a message or attach a file']]);
});

test('a text that is too long is kept whole, says by how much, and is not sent', () => {
  render();
  type('x'.repeat(longestMessage * 0.9));
  expect(document.body.textContent).not.toContain('of 20,000');
  type('x'.repeat(longestMessage));
  expect(document.body.textContent).toContain('20,000 of 20,000 characters');
  const long = 'x'.repeat(longestMessage + 5);
  type(long);
  expect(document.body.textContent).toContain('5 characters too long. Please shorten it.');
  expect(field().getAttribute('aria-invalid')).toBe('true');
  press('Enter');
  expect(field().value).toBe(long);
  expect(unsentOf(userId)).toMatchObject({ outgoing: [], drafts: { [person.id]: { text: long } } });
  expect(told).toEqual([['Message Too Long', 'Your message is 5 characters too long. Please shorten it.']]);
});

/** Sends this tab the browser's late storage event for each kept item. */
function hearStorage(): void {
  const keys = Object.keys(localStorage).filter((key) => key.includes('unsent'));
  act(() => {
    for (const key of keys) window.dispatchEvent(new StorageEvent('storage', { key }));
  });
}
const textsIn = (tab: typeof thisTab) => tab.unsentOf(userId).outgoing.map(({ text }) => text);

test('what two tabs write at one moment is all kept, and what one has sent is gone from the other', async () => {
  render();
  type('First');
  press('Enter');
  const otherTab = await openTab(1);
  expect(textsIn(otherTab)).toEqual(['First']);
  type('Second');
  press('Enter');
  type('A draft');
  // The other tab has not heard of the second message yet.
  const [first] = otherTab.unsentOf(userId).outgoing;
  otherTab.changeOutgoing(userId, first?.clientKey ?? '', { isSent: true });
  otherTab.saveDraft(userId, 'somebody', { text: 'Of the other tab', file: null });
  hearStorage();
  expect(unsentOf(userId).outgoing).toMatchObject([
    { text: 'First', isSent: true },
    { text: 'Second', isSent: false },
  ]);
  expect(unsentOf(userId).drafts).toMatchObject({
    [person.id]: { text: 'A draft' },
    somebody: { text: 'Of the other tab' },
  });
  const nextTab = await openTab(2);
  expect(textsIn(nextTab)).toEqual(['Second']);
  expect(nextTab.unsentOf(userId).drafts).toEqual(unsentOf(userId).drafts);
  act(() => forgetUnsent(userId));
  expect(Object.keys(localStorage).filter((key) => key.includes('unsent'))).toEqual([]);
});

/** Chooses a file. Returns acts that end its upload, well or badly. */
async function attach(name: string) {
  vi.spyOn(Upload.prototype, 'findPreviousUploads').mockResolvedValue([]);
  const start = vi.spyOn(Upload.prototype, 'start').mockReturnValue(undefined);
  const chooser = document.querySelector('input[type=file]') as HTMLInputElement;
  Object.defineProperty(chooser, 'files', { value: [new File(['%PDF'], name)], configurable: true });
  await act(async () => {
    chooser.dispatchEvent(new Event('change', { bubbles: true }));
  });
  const upload = start.mock.contexts.at(-1) as Upload;
  return {
    arrive: () =>
      act(async () => {
        upload.url = 'https://switchyard.example/api/uploads/file-id';
        upload.options.onSuccess?.({} as never);
      }),
    fail: () => act(async () => upload.options.onError?.(new Error('The connection was cut.'))),
  };
}

test('MSG-23 an upload that fails on its way is told as one, and no message is sent, also where one waited for it', async () => {
  const asked = answerWith(async () => Response.json({}));
  render({ isSending: true });
  type('See this');
  for (const isWaiting of [false, true]) {
    told.length = 0;
    const { fail } = await attach('plan.pdf');
    if (isWaiting) press('Enter');
    expect(field().readOnly).toBe(isWaiting);
    await fail();
    expect(told).toEqual([['Send Failed', expect.stringContaining('file upload failed: ')]]);
    expect(unsentOf(userId)).toMatchObject({ outgoing: [], drafts: { [person.id]: { text: 'See this', file: null } } });
    expect([field().value, field().readOnly]).toEqual(['See this', false]);
    expect(document.body.textContent).not.toContain('plan.pdf');
  }
  expect(asked).toEqual([]);
});

test('a message that waits for its file goes with the words of that moment: its field is closed meanwhile', async () => {
  render();
  type('See this');
  const { arrive } = await attach('plan.pdf');
  press('Enter');
  expect(field().readOnly).toBe(true);
  expect(document.body.textContent).toContain('To change it, cancel the upload.');
  await arrive();
  expect(unsentOf(userId).outgoing).toMatchObject([{ text: 'See this', file: { id: 'file-id', name: 'plan.pdf' } }]);
  expect(field().readOnly).toBe(false);
  expect(field().value).toBe('');
});

test('where the words were changed meanwhile elsewhere, the file is laid beside them and nothing is sent', async () => {
  render();
  type('See this');
  const { arrive } = await attach('plan.pdf');
  press('Enter');
  act(() => saveDraft(userId, person.id, { text: 'See th', file: null }));
  await arrive();
  expect(unsentOf(userId).outgoing).toEqual([]);
  expect(unsentOf(userId).drafts[person.id]).toMatchObject({ text: 'See th', file: { id: 'file-id' } });
  expect(field().readOnly).toBe(false);
});
