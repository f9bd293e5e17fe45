import { MantineProvider } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { theme } from './theme.ts';
import { showToast, type Toast } from './toast.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  // The last toast of another test file may still be there.
  notifications.clean();
  notifications.cleanQueue();
  render(
    <MantineProvider theme={theme} env="test">
      <Notifications transitionDuration={0} />
    </MantineProvider>,
  );
});
afterEach(() => {
  act(() => notifications.clean());
  cleanup();
  vi.useRealTimers();
});

function show(toast: Toast): HTMLElement {
  act(() => showToast(toast));
  const shown = [...document.querySelectorAll<HTMLElement>('[data-toast]')].at(-1);
  if (!shown) throw new Error('No toast is shown.');
  return shown;
}

function shownToasts(): number {
  return document.querySelectorAll('[data-toast]').length;
}

/** Lets the time pass, and then lets leaving toasts go. */
function pass(milliseconds: number): void {
  act(() => vi.advanceTimersByTime(milliseconds));
  act(() => vi.advanceTimersByTime(0));
}

test('TOAST-01 the four types differ by colour, by icon and by word', () => {
  const looks = (['success', 'error', 'warning', 'info'] as const).map((type) => {
    const toast = show({ type, title: 'Saved' });
    const icon = toast.querySelector('svg');
    return {
      type: toast.dataset.toast,
      colour: toast.style.getPropertyValue('--notification-color'),
      drawing: icon?.innerHTML,
      word: icon?.getAttribute('aria-label'),
    };
  });
  expect(looks.map(({ type }) => type)).toEqual(['success', 'error', 'warning', 'info']);
  expect(new Set(looks.map(({ colour }) => colour)).size).toBe(4);
  expect(new Set(looks.map(({ drawing }) => drawing)).size).toBe(4);
  expect(looks.map(({ word }) => word)).toEqual(['Success', 'Error', 'Warning', 'Note']);
});

test('TOAST-02 TOAST-06 DATA-26 beside its type it has a title and may have a message, as two parts, and a duration', () => {
  const both = show({
    type: 'error',
    title: 'Email Required',
    message: 'Please enter your email address',
    duration: 9000,
  });
  expect(both.dataset.toast).toBe('error');
  const parts = [...both.querySelectorAll('div')].filter((part) => part.children.length === 0 && part.textContent);
  expect(parts.map((part) => part.textContent)).toEqual(['Email Required', 'Please enter your email address']);

  const alone = show({ type: 'success', title: 'Preferences Saved' });
  expect(alone.textContent).toBe('Preferences Saved');
  expect(alone.dataset.toast).toBe('success');
  expect(shownToasts()).toBe(2);
  pass(5000);
  expect([...document.querySelectorAll<HTMLElement>('[data-toast]')].map(({ dataset }) => dataset.toast)).toEqual([
    'error',
  ]);
  pass(4000);
  expect(shownToasts()).toBe(0);
});

test('TOAST-03 closes by itself after 5000 ms', () => {
  show({ type: 'success', title: 'Message Sent' });
  pass(4999);
  expect(shownToasts()).toBe(1);
  pass(1);
  expect(shownToasts()).toBe(0);
});

test('what went wrong stays until all its words can be read; good news of any length goes after 5000 ms', () => {
  const message = 'x'.repeat(144);
  show({ type: 'error', title: 'Oops!', message });
  show({ type: 'success', title: 'Saved', message });
  pass(5000);
  expect(shownToasts()).toBe(1);
  pass(3999);
  expect(shownToasts()).toBe(1);
  pass(1);
  expect(shownToasts()).toBe(0);
});

test.each([1000, 8000])('TOAST-04 closes after its own %i ms', (duration) => {
  show({ type: 'info', title: 'New Message', duration });
  pass(duration - 1);
  expect(shownToasts()).toBe(1);
  pass(1);
  expect(shownToasts()).toBe(0);
});

test('TOAST-05 closes at once when it is dismissed, and leaves the others', () => {
  const first = show({ type: 'warning', title: 'No Approved Stipends' });
  show({ type: 'success', title: 'Stipend Approved' });
  act(() => first.querySelector<HTMLButtonElement>('button[aria-label=Dismiss]')?.click());
  pass(0);
  expect([...document.querySelectorAll('[data-toast]')].map((toast) => toast.textContent)).toEqual([
    'Stipend Approved',
  ]);
});

test('of good news with one title the newest stays, and no queue of old ones follows; each refusal stays', () => {
  for (const count of [1, 2, 3, 4, 5, 6, 7]) show({ type: 'info', title: 'New Message', message: `Message ${count}` });
  pass(0);
  expect([...document.querySelectorAll('[data-toast]')].map((toast) => toast.textContent)).toEqual([
    'New MessageMessage 7',
  ]);
  for (const message of ['First', 'Second']) show({ type: 'error', title: 'Send Failed', message });
  pass(0);
  expect(shownToasts()).toBe(3);
});

test('errors and warnings are announced at once, the others when there is a pause', () => {
  expect(show({ type: 'error', title: 'Load Error' }).getAttribute('role')).toBe('alert');
  expect(show({ type: 'warning', title: 'Weak Password' }).getAttribute('role')).toBe('alert');
  expect(show({ type: 'success', title: 'Message Sent' }).getAttribute('role')).toBe('status');
  expect(show({ type: 'info', title: 'New Message' }).getAttribute('role')).toBe('status');
});

test('ERR1-01 ERR1-02 a server message stands unaltered beside its title, under the kind of its notice', () => {
  const message = 'Failed: 3 < 5 & "quoted" / as-is: <b>not bold</b>';
  const toast = show({ type: 'warning', title: 'Duplicate Assignment', message });
  expect(toast.dataset.toast).toBe('warning');
  expect(toast.textContent).toBe(`Duplicate Assignment${message}`);
  expect(toast.querySelector('b')).toBeNull();
});

test('a toast can offer an act for its time; the act takes the toast away', () => {
  const run = vi.fn();
  const offer = { type: 'success', title: 'Saved', duration: 10_000, action: { label: 'Undo', run } } as const;
  const undo = (toast: HTMLElement) =>
    [...toast.querySelectorAll('button')].find(({ textContent }) => textContent === 'Undo');
  const shown = show({ ...offer, message: 'Ana Alvarez' });
  expect(shown.textContent).toContain('Ana Alvarez');
  pass(9000);
  act(() => undo(shown)?.click());
  expect(run).toHaveBeenCalledOnce();
  pass(0);
  expect(shownToasts()).toBe(0);
  show(offer);
  pass(10_000);
  expect(shownToasts()).toBe(0);
  expect(run).toHaveBeenCalledOnce();
});
