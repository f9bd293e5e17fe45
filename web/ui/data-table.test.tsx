import { act, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw } from '#test/support/draw.tsx';
import { type Column, DataTable } from './DataTable.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

type Order = 'newest' | 'oldest' | 'name';
interface Person {
  id: string;
  name: string;
}
const people: Person[] = [
  { id: 'a', name: 'Ana García' },
  { id: 'b', name: 'Łukasz Nowak' },
];
const columns: Column<Person, Order>[] = [
  { key: 'name', label: 'Name', orders: [{ order: 'name', direction: 'ascending' }], cell: ({ name }) => name },
  {
    key: 'joined',
    label: 'Joined',
    orders: [
      { order: 'newest', direction: 'descending' },
      { order: 'oldest', direction: 'ascending' },
    ],
    cell: () => 'Monday',
  },
  { key: 'note', label: 'Note', cell: () => 'None' },
];

function List({ asked }: { asked?: Order[] }) {
  const [order, setOrder] = useState<Order>('newest');
  const onOrder = (next: Order) => {
    asked?.push(next);
    setOrder(next);
  };
  return (
    <DataTable label="People" columns={columns} rows={people} keyOf={({ id }) => id} order={order} onOrder={onOrder} />
  );
}
const sorts = () => screen.getAllByRole('columnheader').map((header) => header.getAttribute('aria-sort'));

test('a header asks for its orders in turn, and says which one is in force', () => {
  const asked: Order[] = [];
  draw(<List asked={asked} />);
  expect(sorts()).toEqual(['none', 'descending', null]);
  expect(screen.queryByRole('button', { name: 'Sort by Note' })).toBeNull();

  fireEvent.click(screen.getByRole('button', { name: 'Sort by Joined' }));
  expect(sorts()).toEqual(['none', 'ascending', null]);
  fireEvent.click(screen.getByRole('button', { name: 'Sort by Joined' }));
  fireEvent.click(screen.getByRole('button', { name: 'Sort by Name' }));
  expect(sorts()).toEqual(['ascending', 'none', null]);
  fireEvent.click(screen.getByRole('button', { name: 'Sort by Name' }));
  expect(asked).toEqual(['oldest', 'newest', 'name', 'name']);
});

test('rows are chosen one by one, each named', () => {
  const chosen: [string[], boolean][] = [];
  draw(
    <DataTable
      label="People"
      columns={columns}
      rows={people}
      keyOf={({ id }) => id}
      selection={{
        isChosen: ({ id }) => id === 'b',
        onChoose: (rows, isChosen) => chosen.push([rows.map(({ id }) => id), isChosen]),
        nameOf: ({ name }) => name,
      }}
    />,
  );
  const boxes = within(screen.getByRole('table')).getAllByRole('checkbox');
  expect(boxes.map((box) => (box as HTMLInputElement).checked)).toEqual([false, true]);
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Ana García' }));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Łukasz Nowak' }));
  expect(chosen).toEqual([
    [['a'], true],
    [['b'], false],
  ]);
});

test('a table that is whole in the page leaves no gaps, so it is drawn without measuring its rows', () => {
  const measured = vi.spyOn(Element.prototype, 'getBoundingClientRect');
  const drawn: string[] = [];
  const cell = ({ name }: Person) => {
    drawn.push(name);
    return name;
  };
  draw(
    <DataTable label="People" columns={[{ key: 'name', label: 'Name', cell }]} rows={people} keyOf={({ id }) => id} />,
  );
  expect(measured.mock.contexts).toEqual([]);
  expect(drawn).toEqual(people.map(({ name }) => name));
});

test('only a table that is wider than its frame scrolls, because a frame that scrolls takes the head along', () => {
  let measured = () => {};
  vi.stubGlobal('ResizeObserver', function watch(tell: () => void) {
    measured = tell;
    return { observe: () => undefined, disconnect: () => undefined };
  });
  draw(<List />);
  const frame = screen.getByRole('region', { name: 'People' });
  const tableOf = vi.spyOn(screen.getByRole('table'), 'scrollWidth', 'get');
  vi.spyOn(frame, 'clientWidth', 'get').mockReturnValue(600);
  for (const [width, scrolls] of [
    [700, true],
    [600, false],
  ] as const) {
    tableOf.mockReturnValue(width);
    act(() => measured());
    expect(frame.hasAttribute('data-scrolls')).toBe(scrolls);
  }
});
