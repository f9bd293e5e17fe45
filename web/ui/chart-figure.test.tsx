// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { draw, press } from '#test/support/draw.tsx';
import { Somewhere } from '#test/support/somewhere.tsx';
import { ChartFigure, type ChartFigureProps } from './ChartFigure.tsx';

const parts = [
  { key: 'late', label: 'Late', tone: 'danger', pattern: 'stripes' },
  { key: 'fine', label: 'Fine', tone: 'success', pattern: 'plain' },
] as const;

function drawFigure(given: Partial<ChartFigureProps> = {}) {
  draw(
    <Somewhere>
      <ChartFigure
        direction="across"
        label="People"
        rowHead="Cohort"
        totalHead="All"
        parts={[...parts]}
        rows={[
          {
            key: 'a',
            label: 'A',
            name: 'Cohort A',
            values: { late: 0, fine: 1200 },
            links: { late: '/a', fine: '/b' },
          },
          { key: 'b', label: 'B', name: 'Cohort B', values: { fine: 3 }, links: { fine: '#b' } },
        ]}
        format={(count) => count.toLocaleString('en-US')}
        mostBars={1}
        {...given}
      />
    </Somewhere>,
  );
}

const cellsOf = (row: HTMLElement) => [...row.querySelectorAll('td, th')].map(({ textContent }) => textContent);

test('a chart has its figures in a table for who does not see it, and says what only the table has', () => {
  drawFigure();
  const table = screen.getByRole('table', { name: 'People' });
  expect(within(table).getAllByRole('row').map(cellsOf)).toEqual([
    ['Cohort', 'Late', 'Fine', 'All'],
    ['Cohort A', '0', '1,200', '1,200'],
    ['Cohort B', '–', '3', '3'],
  ]);
  expect(within(table).queryAllByRole('link')).toEqual([]);
  expect(screen.getByText('1 more in the table.')).toBeTruthy();
});

test('a note that says what else the table has stands alone', () => {
  drawFigure({ note: 'The table has each cohort.', isNoteAll: true });
  expect(document.querySelector('figcaption')?.textContent).toBe('The table has each cohort.');
});

test('as a table it has a link for each figure but zeros, and becomes a chart again', async () => {
  drawFigure();
  await press('Show as table: People');
  const links = screen.getAllByRole('link').map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')]);
  expect(links).toEqual([
    ['Cohort A: Fine 1,200', '/b'],
    ['Cohort B: Fine 3', '#b'],
  ]);
  await press('Show as chart: People');
  expect(screen.queryAllByRole('link')).toEqual([]);
});

test('the bars are there with the legend, before the browser says anything about sizes', () => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(400);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(200);
  drawFigure();
  vi.restoreAllMocks();
  expect([...document.querySelectorAll('svg title')].map(({ textContent }) => textContent)).toEqual([
    'Cohort A: Fine 1,200',
  ]);
});

test('what a bar is not is drawn thin, in the bar and in the legend, and can be pressed as wide as the bar', () => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(400);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(200);
  const [late, fine] = parts;
  const row = { key: 'a', label: 'A', name: 'Cohort A', values: { late: 3, fine: 1 } };
  draw(
    <Somewhere>
      <ChartFigure
        direction="up"
        label="People"
        rowHead="Cohort"
        parts={[fine, { ...late, isRest: true }]}
        rows={[row]}
        format={String}
      />
    </Somewhere>,
  );
  vi.restoreAllMocks();
  const widthsOf = (place: Element | null | undefined) =>
    [...(place?.querySelectorAll('rect') ?? [])].map((shape) => Math.round(Number(shape.getAttribute('width'))));
  const widthsOfPart = (name: string) => {
    const titles = [...document.querySelectorAll('svg title')];
    return widthsOf(titles.find(({ textContent }) => textContent === name)?.parentElement);
  };
  const [whole = 0] = widthsOfPart('Cohort A: Fine 1');
  const thin = Math.round(0.3 * whole);
  expect(whole).toBeGreaterThan(0);
  expect(widthsOfPart('Cohort A: Late 3')).toEqual([whole, thin, thin]);
  expect([...document.querySelectorAll('li')].map(widthsOf)).toEqual([[14], [6, 6]]);
});
