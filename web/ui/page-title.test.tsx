import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, test, vi } from 'vitest';
import { expectHeading, focusExpectedHeading, usePageTitle } from './page-title.ts';

beforeEach(() => void vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true));

function Screen({ title }: { title: string }) {
  usePageTitle(title);
  return <h1>{title}</h1>;
}

function open() {
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  return {
    page,
    show: (title: string) => act(async () => root.render(<Screen key={title} title={title} />)),
    close: () => act(async () => root.unmount()).then(() => page.remove()),
  };
}

const focused = () => document.activeElement?.textContent;

test('the heading of the screen that one goes to gets the focus, never the one of the screen that one leaves', async () => {
  const { show, close } = open();
  await show('Change Password');
  expectHeading();
  // The navigation closes before the next screen is there.
  focusExpectedHeading();
  expect(document.activeElement).toBe(document.body);
  await show('Communications');
  expect(focused()).toBe('Communications');
  await close();
});

test('where nobody went anywhere no heading takes the focus', async () => {
  const { show, close } = open();
  await show('Dashboard');
  focusExpectedHeading();
  expect(document.activeElement).toBe(document.body);
  await close();
});
