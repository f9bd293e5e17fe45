// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { drawAsking } from '#test/support/draw.tsx';
import { Hint } from './Hint.tsx';

const words = () => screen.queryByRole('tooltip');

async function drawHint(): Promise<HTMLElement> {
  await drawAsking(
    <Hint label="Messages">
      <button type="button">M</button>
    </Hint>,
  );
  const button = screen.getByRole('button', { name: 'M' });
  await act(async () => fireEvent.mouseEnter(button));
  await waitFor(() => expect(words()?.textContent).toBe('Messages'));
  return button;
}

test('the words stay while the pointer goes to them and rests on them, and go when it leaves them', async () => {
  const button = await drawHint();
  fireEvent.mouseLeave(button);
  const shown = words();
  if (!shown) throw new Error('The words went before the pointer could reach them.');
  fireEvent.pointerEnter(shown);
  // Another hint's time to close would be over.
  await drawAsking(
    <Hint label="Other">
      <button type="button">O</button>
    </Hint>,
  );
  const other = screen.getByRole('button', { name: 'O' });
  await act(async () => fireEvent.mouseEnter(other));
  await waitFor(() => expect(screen.getAllByRole('tooltip')).toHaveLength(2));
  fireEvent.mouseLeave(other);
  await waitFor(() => expect(screen.getAllByRole('tooltip')).toHaveLength(1));
  expect(words()?.textContent).toBe('Messages');
  fireEvent.pointerLeave(shown);
  await waitFor(() => expect(words()).toBeNull());
});

test('Escape takes the words away while the pointer stays', async () => {
  await drawHint();
  await act(async () => fireEvent.keyDown(window, { key: 'Escape' }));
  await waitFor(() => expect(words()).toBeNull());
});
