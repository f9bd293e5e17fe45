import { act, cleanup, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { draw } from '#test/support/draw.tsx';
import { type Column, DataTable } from './DataTable.tsx';
import { LongList } from './LongList.tsx';
import { useEndInSight } from './use-part-in-sight.ts';

const heightOfAPart = 1234;

type Change = Pick<IntersectionObserverEntry, 'isIntersecting'> & { boundingClientRect: { height: number } };
let redraw: ((what: ReactNode) => void) | null;
let watched: Map<Element, (changes: Change[]) => void>;

beforeEach(() => {
  watched = new Map();
  vi.stubGlobal('IntersectionObserver', function watch(tell: (changes: Change[]) => void) {
    let own: Element[] = [];
    return {
      observe: (element: Element) => {
        own.push(element);
        watched.set(element, tell);
      },
      disconnect: () => {
        for (const element of own) watched.delete(element);
        own = [];
      },
    };
  });
  redraw = null;
});
afterEach(() => {
  cleanup();
  expect(watched.size).toBe(0);
  vi.unstubAllGlobals();
});

interface Person {
  id: number;
}
const people = (count: number): Person[] => Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
const columns: Column<Person>[] = [
  { key: 'name', label: 'Name', cell: ({ id }) => <button type="button">Person {id}</button> },
];
const table = (count: number) => (
  <DataTable label="People" columns={columns} rows={people(count)} keyOf={({ id }) => String(id)} />
);
const list = (count: number) => (
  <LongList label="People" rows={people(count)} keyOf={({ id }) => String(id)} rowHeight={60}>
    {({ id }) => <button type="button">Person {id}</button>}
  </LongList>
);

function show(what: ReactNode): void {
  if (redraw) redraw(what);
  else redraw = draw(what).rerender;
}

/** Does what the browser does when a person scrolls. Of all watched parts, these are near the visible area. */
function scrollTo(isNear: (place: number) => boolean): void {
  act(() => {
    for (const [place, [, tell]] of [...watched].entries()) {
      tell([{ isIntersecting: isNear(place), boundingClientRect: { height: heightOfAPart } }]);
    }
  });
}

const shown = () => screen.queryAllByText(/^Person/).map(({ textContent }) => Number(textContent?.slice(7)));
const from = (first: number, last: number) => people(last).flatMap(({ id }) => (id < first ? [] : [id]));
const gapsIn = (kind: string) =>
  [...document.querySelectorAll<HTMLElement>(kind)].map(({ style }) => style.height).filter((height) => height !== '');

test.each([
  ['a table', table, 'tr'],
  ['a list', list, 'div'],
])('after twenty pages %s keeps only the rows near what is seen in the page', (_name, build, kind) => {
  show(build(50));
  expect(shown()).toEqual(from(1, 50));
  expect(watched.size).toBe(0);

  for (let pages = 2; pages <= 20; pages += 1) {
    show(build(pages * 50));
    scrollTo((place) => place >= watched.size - 2);
    expect(shown().length).toBeLessThanOrEqual(48);
    expect(shown().at(-1)).toBe(pages * 50);
  }
  expect(watched.size).toBe(Math.ceil(1000 / 24));
  expect(shown()).toEqual(from(961, 1000));
  // The parts that left leave as much room as they took. One was never there, and leaves what its rows probably take.
  const probably = 24 * (kind === 'tr' ? 52 : 60);
  const gaps = gapsIn(kind);
  expect(gaps).toHaveLength(40);
  expect(gaps.filter((height) => height !== `${heightOfAPart}px`)).toEqual([`${probably}px`]);

  scrollTo((place) => place === 10 || place === 11);
  expect(shown()).toEqual(from(241, 288));
  const [row] = document.querySelectorAll(kind === 'tr' ? 'tbody tr:not([aria-hidden])' : '[role=listitem]');
  expect(row?.getAttribute(kind === 'tr' ? 'aria-rowindex' : 'aria-posinset')).toBe(kind === 'tr' ? '242' : '241');
  expect(document.querySelector(kind === 'tr' ? '[aria-rowcount="1001"]' : '[aria-setsize="1000"]')).not.toBeNull();
});

test('a row that has the focus stays in the page when it is scrolled away', () => {
  show(table(500));
  scrollTo((place) => place === 0);
  expect(shown()).toEqual(from(1, 24));
  screen.getByRole('button', { name: 'Person 1' }).focus();
  scrollTo((place) => place === 20);
  expect(shown()).toEqual([...from(1, 24), ...from(481, 500)]);
  expect(document.activeElement?.textContent).toBe('Person 1');
});

test('what was in the page as its list opened is never more than the first rows', () => {
  show(table(5000));
  expect(shown()).toEqual(from(1, 72));
});

test('a list that is read page by page says how many rows there are in all', () => {
  show(
    <LongList rows={people(100)} total={5000} keyOf={({ id }) => String(id)} rowHeight={60}>
      {({ id }) => <button type="button">Person {id}</button>}
    </LongList>,
  );
  expect(document.querySelectorAll('[aria-setsize="5000"]')).toHaveLength(72);
});

test('the end of a list asks for more when it is near, and not while more is being read', () => {
  let asked = 0;
  show(<End onMore={() => (asked += 1)} />);
  scrollTo(() => false);
  expect(asked).toBe(0);
  scrollTo(() => true);
  expect(asked).toBe(1);

  show(<End onMore={null} />);
  expect(watched.size).toBe(0);
  // More has been read. The end is watched anew, so it asks again if it is still near.
  show(<End onMore={() => (asked += 10)} />);
  scrollTo(() => true);
  expect(asked).toBe(11);
});

function End({ onMore }: { onMore: (() => void) | null }) {
  return <div ref={useEndInSight(onMore)} />;
}
