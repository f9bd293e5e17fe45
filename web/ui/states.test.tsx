import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '#test/support/draw.tsx';
import { LoadingState } from './states.tsx';

test('the cards of a screen that loads stand in the columns in which they come', () => {
  draw(<LoadingState label="Loading" cards={4} />);
  const cards = screen.getByRole('status', { name: 'Loading' }).querySelectorAll('[data-card]');
  expect(cards).toHaveLength(4);
  expect([...cards].every((card) => card.parentElement?.className.includes('SimpleGrid'))).toBe(true);
});
