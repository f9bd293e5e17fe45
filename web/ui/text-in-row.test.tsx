import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { draw } from '#test/support/draw.tsx';
import { TextInRow } from './TextInRow.tsx';

const words = 'I was in the lab from the start, but the link opened the wrong room.';
let measured: () => void;

beforeEach(() => {
  measured = () => undefined;
  vi.stubGlobal('ResizeObserver', function watch(tell: () => void) {
    measured = tell;
    return { observe: () => undefined, disconnect: () => undefined };
  });
});

function drawCut(heightOfWords: number) {
  draw(<TextInRow name="the request of Ana García">{words}</TextInRow>);
  const text = screen.getByText(words);
  vi.spyOn(text, 'scrollHeight', 'get').mockReturnValue(heightOfWords);
  vi.spyOn(text, 'clientHeight', 'get').mockReturnValue(36);
  act(() => measured());
  return text;
}

test('a text that has room in its row has no button', () => {
  drawCut(36);
  expect(screen.queryByRole('button')).toBeNull();
});

test('a text that fits where no button takes room from it has none, whatever it was measured beside before', () => {
  const text = drawCut(90);
  vi.spyOn(text, 'scrollHeight', 'get').mockImplementation(() => (text.style.flex === '' ? 90 : 36));
  act(() => measured());
  expect(screen.queryByRole('button')).toBeNull();
  expect(text.style.flex).toBe('');
});

test('a text that is cut is read whole and cut again with one button, which keeps the focus', () => {
  const text = drawCut(90);
  const button = screen.getByRole('button', { name: 'Read all of the request of Ana García', expanded: false });
  button.focus();
  fireEvent.click(button);
  expect(text.dataset.lineClamp).toBeUndefined();
  const less = screen.getByRole('button', { name: 'Read less of the request of Ana García', expanded: true });
  expect(document.activeElement).toBe(less);
  fireEvent.click(less);
  expect(text.dataset.lineClamp).toBe('true');
  expect(document.activeElement).toBe(screen.getByRole('button', { expanded: false }));
});
