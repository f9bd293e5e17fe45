// @vitest-environment jsdom
import { globSync, readFileSync } from 'node:fs';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw } from '#test/support/draw.tsx';
import { useLetterKeys } from '../ui/use-letter-keys.ts';
import { KeysTable } from './KeysTable.tsx';

afterEach(() => localStorage.clear());

function Listening({ onKey }: { onKey: () => void }) {
  useLetterKeys([['j', onKey]]);
  return <KeysTable />;
}

test('keys that are pressed alone can be switched off, which the device keeps, and on again', async () => {
  const onKey = vi.fn();
  const { unmount } = draw(<Listening onKey={onKey} />);
  const pressKey = () => fireEvent.keyDown(document.documentElement, { key: 'j' });
  const turn = () => act(async () => fireEvent.click(screen.getByRole('switch', { name: /^Use single keys/ })));
  pressKey();
  expect(onKey).toHaveBeenCalledTimes(1);
  await turn();
  pressKey();
  expect(onKey).toHaveBeenCalledTimes(1);

  unmount();
  draw(<Listening onKey={onKey} />);
  pressKey();
  expect(onKey).toHaveBeenCalledTimes(1);
  await turn();
  pressKey();
  expect(onKey).toHaveBeenCalledTimes(2);
});

test('every key that is pressed alone can be switched off', () => {
  const files = globSync('web/{app,features,ui}/**/*.{ts,tsx}').filter((file) => !file.includes('.test.'));
  const others = files.filter((file) => /useHotkeys\((?!areOn)/.test(readFileSync(file, 'utf8')));
  const keys = others.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/useHotkeys\(\[\s*\[\s*'([^']+)'/g)].map(([, key]) => key),
  );
  expect(keys.toSorted()).toEqual(['Escape', 'Escape', 'mod+Enter', 'mod+K']);
  expect(keys).toHaveLength(others.flatMap((file) => readFileSync(file, 'utf8').match(/useHotkeys\(/g) ?? []).length);
});
