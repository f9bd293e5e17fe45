import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { LoadingState } from './states.tsx';

test('the cards of a screen that loads stand in the columns in which they come', () => {
  document.body.innerHTML = renderToStaticMarkup(
    <MantineProvider>
      <LoadingState label="Loading" cards={4} />
    </MantineProvider>,
  );
  const cards = document.querySelectorAll('[data-card]');
  expect(cards).toHaveLength(4);
  expect([...cards].every((card) => card.parentElement?.className.includes('SimpleGrid'))).toBe(true);
});
