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

test.each([
  ['accepted', 'Accepted'],
  ['submitted', 'Submitted'],
  ['needs_revision', 'Needs revision'],
  ['rejected', 'Rejected'],
  [null, 'None'],
])('STIP-36 an assignment of the status %s reads %s', (status, words) => {
  const markup = renderToStaticMarkup(
    <MantineProvider>
      <StipendAssignments assignments={[{ ...assignment, status }]} />
    </MantineProvider>,
  );
  const cell = new DOMParser().parseFromString(markup, 'text/html').querySelector('td[data-label=Status]');
  expect(cell?.textContent).toBe(words);
});
