import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { queryClient } from '../api/query-for.ts';
import { usePart } from './use-part.ts';

function Screen() {
  const part = usePart('test', async () => 'the part', { isNeeded: false });
  return <p>{part.data ?? 'light'}</p>;
}

const moveMouse = (movementX: number) =>
  act(async () => {
    window.dispatchEvent(Object.assign(new Event('pointermove'), { movementX, movementY: 0 }));
  });

test('a part comes beside the first act of a person, and a mouse that lies still is none', async () => {
  render(
    <QueryClientProvider client={queryClient}>
      <Screen />
    </QueryClientProvider>,
  );
  await moveMouse(0);
  expect(queryClient.isFetching()).toBe(0);
  expect(screen.getByText('light')).toBeDefined();
  await moveMouse(1);
  expect(await screen.findByText('the part')).toBeDefined();
});
