import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { StipendAssignments } from './StipendAssignments.tsx';

const assignment = {
  id: 'one',
  title: 'Relay report',
  dueDate: null,
  isRequired: true,
  counts: true,
  submittedAt: null,
  feedback: null,
};

test('STIP-36 an assignment reads accepted, submitted, needs revision, rejected or none', () => {
  for (const [status, words] of [
    ['accepted', 'Accepted'],
    ['submitted', 'Submitted'],
    ['needs_revision', 'Needs revision'],
    ['rejected', 'Rejected'],
    [null, 'None'],
  ] as const) {
    const markup = renderToStaticMarkup(
      <MantineProvider>
        <StipendAssignments assignments={[{ ...assignment, status }]} />
      </MantineProvider>,
    );
    const cell = new DOMParser().parseFromString(markup, 'text/html').querySelector('td[data-label=Status]');
    expect(cell?.textContent).toBe(words);
  }
});

test.each([
  [null, 'Not scheduled'],
  ['2025-09-08', 'Sep 8'],
  ['2025-99-99', 'Invalid date'],
])('TIME-03 TIME-04 the due date %s reads %s', (dueDate, words) => {
  const markup = renderToStaticMarkup(
    <MantineProvider>
      <StipendAssignments assignments={[{ ...assignment, status: null, dueDate }]} />
    </MantineProvider>,
  );
  const cell = new DOMParser().parseFromString(markup, 'text/html').querySelector('td[data-label="Due Date"]');
  expect(cell?.textContent).toBe(words);
});
