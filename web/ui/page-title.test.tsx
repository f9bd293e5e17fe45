import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { expectHeading, focusExpectedHeading, usePageTitle } from './page-title.ts';

function Screen({ title }: { title: string }) {
  usePageTitle(title);
  return <h1>{title}</h1>;
}

const focused = () => document.activeElement?.textContent;

test('the heading of the screen that one goes to gets the focus, never the one of the screen that one leaves', () => {
  const { rerender } = render(<Screen key="one" title="Change Password" />);
  expectHeading();
  // The navigation closes before the next screen is there.
  focusExpectedHeading();
  expect(document.activeElement).toBe(document.body);
  rerender(<Screen key="two" title="Communications" />);
  expect(focused()).toBe('Communications');
});

test('where nobody went anywhere no heading takes the focus', () => {
  render(<Screen title="Dashboard" />);
  focusExpectedHeading();
  expect(document.activeElement).toBe(document.body);
});
