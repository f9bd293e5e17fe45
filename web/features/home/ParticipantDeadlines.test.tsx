import { cleanup, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { addDays } from '#contract/weeks.ts';
import { draw } from '#test/support/draw.tsx';
import { Somewhere } from '#test/support/somewhere.tsx';
import { ParticipantDeadlines } from './ParticipantDeadlines.tsx';

type Work = Parameters<typeof ParticipantDeadlines>[0]['assignments'][number];

const today = '2025-10-09';
const work = (title: string, days: number, status: Work['status'] = null) => ({
  ...{ id: title, submissionId: status && title, status },
  ...{ title, dueDate: addDays(today, days) },
});
const deadline = (title: string, days: number) => ({
  id: `requirement ${title}`,
  title,
  type: 'quiz',
  dueDate: addDays(today, days),
  isDueSoon: days < 4,
});

function partsOf(assignments: ReturnType<typeof work>[], deadlines: ReturnType<typeof deadline>[]) {
  cleanup();
  const { container } = draw(
    <Somewhere>
      <ParticipantDeadlines assignments={assignments} deadlines={deadlines} today={today} />
    </Somewhere>,
  );
  const items = screen.queryAllByRole('listitem').map((item) => item.textContent ?? '');
  return { items, overdue: container.querySelector('[data-state=overdue]')?.textContent ?? null };
}

test('FELL-23 five at most are upcoming, the soonest first, and what is overdue has a line of its own', () => {
  const { items, overdue } = partsOf(
    [work('Late résumé', -2), work('Load flow', 4), work('Due today', 0)],
    [deadline('Quiz', 1), deadline('Report', 5), deadline('Plan', 6), deadline('Memo', 7), deadline('Poster', 8)],
  );
  expect(items.map((text) => /^(Due today|Quiz|Load flow|Report|Plan)/.exec(text)?.[0])).toEqual([
    'Due today',
    'Quiz',
    'Load flow',
    'Report',
    'Plan',
  ]);
  expect(items.join(' ')).not.toContain('Late résumé');
  expect(overdue).toContain('Late résumé');
  expect(overdue).toContain('2 days ago');
});

test('nothing is called overdue where nothing is, and an empty list says so', () => {
  expect(partsOf([], []).overdue).toBeNull();
  expect(document.body.textContent).toContain('You have no upcoming deadlines.');
  expect(partsOf([work('Late résumé', -1)], []).overdue).toContain('yesterday');
  expect(document.body.textContent).toContain('You have no upcoming deadlines.');
});

test('returned work says so whatever its day is, and is neither overdue nor an upcoming deadline', () => {
  for (const days of [-3, 0, 5]) {
    const { items, overdue } = partsOf([work('Load flow', days, 'needs_revision')], []);
    expect(document.body.textContent).toContain('Returned: revise and hand in againLoad flow');
    expect([items, overdue]).toEqual([[], null]);
  }
});

test('work that is listed as a requirement of the cohort too is named once, where it can be opened', () => {
  const { items } = partsOf(
    [work('Load flow study', 4)],
    [deadline('Load Flow  study', 4), deadline('Load flow study', 6)],
  );
  expect(items).toHaveLength(2);
  expect(items[0]).toContain('Assignment of this week');
  expect(screen.queryAllByRole('listitem').filter((item) => within(item).queryByRole('link'))).toHaveLength(1);
});
