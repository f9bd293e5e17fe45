import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, press } from '#test/support/draw.tsx';
import { countOn, FilterBar } from './FilterBar.tsx';
import { SearchField } from './SearchField.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** The width of the window, as far as the bar asks for it. */
function onA(device: 'phone' | 'desk') {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('max-width: 47.99em') && device === 'phone',
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
}

function drawBar(on: number, onClear: (() => void) | null = null) {
  draw(
    <FilterBar
      label="Filter people"
      always={<input aria-label="Search" />}
      on={on}
      onClear={onClear}
      acts={<button type="button">Export</button>}
    >
      <input aria-label="Role" />
    </FilterBar>,
  );
}

test('on a desk all filters stand in one row', () => {
  onA('desk');
  drawBar(1, () => undefined);
  // The test's browser does not know that this element is a landmark.
  const bar = within(screen.getByLabelText('Filter people'));
  for (const label of ['Search', 'Role']) bar.getByLabelText(label);
  bar.getByRole('button', { name: 'Clear filters' });
  bar.getByRole('button', { name: 'Export' });
  expect(screen.queryByRole('button', { name: /^Filters/ })).toBeNull();
});

test('on a phone the filters are in a sheet, and its button says how many are on', async () => {
  onA('phone');
  const clear = vi.fn();
  drawBar(2, clear);
  expect(screen.queryByLabelText('Role')).toBeNull();
  screen.getByLabelText('Search');
  screen.getByRole('button', { name: 'Export' });
  await press('Filters (2)');
  const sheet = within(await screen.findByRole('dialog', { name: 'Filters' }));
  sheet.getByLabelText('Role');
  fireEvent.click(sheet.getByRole('button', { name: 'Clear filters' }));
  expect(clear).toHaveBeenCalledOnce();
  fireEvent.click(sheet.getByRole('button', { name: 'Show results' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the button of the sheet says no number while no filter is on', () => {
  onA('phone');
  drawBar(countOn(undefined, null, '', false));
  screen.getByRole('button', { name: 'Filters' });
  expect(countOn('coach', undefined, 3)).toBe(2);
});

test.each(['phone', 'desk'] as const)('the label of the search shows on a desk alone: %s', (device) => {
  onA(device);
  const search = <SearchField label="Search" placeholder="Name" value="" onSearch={() => undefined} />;
  draw(<FilterBar label="Filter people" always={search} on={0} />);
  screen.getByLabelText('Search');
  expect(screen.queryByText('Search') === null).toBe(device === 'phone');
});
