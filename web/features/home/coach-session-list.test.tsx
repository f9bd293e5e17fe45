import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { CoachSession } from '#contract/coach-sessions.ts';
import { drawAsking, press } from '#test/support/draw.tsx';
import { Somewhere } from '#test/support/somewhere.tsx';
import { CoachSessionList } from './CoachSessionList.tsx';

afterEach(cleanup);

const can = { complete: false, cancel: false, markNoShow: false, writeNotes: false, reopen: false, openPerson: true };

function session(facts: Partial<CoachSession>): CoachSession {
  return {
    id: '0190b7a0-0000-7000-8000-000000000001',
    participantId: '0190b7a0-0000-7000-8000-000000000002',
    firstName: 'Ana',
    lastName: 'Alvarez',
    email: 'ana@people.example',
    scheduledAt: '2026-02-02T15:00:00Z',
    durationMinutes: 30,
    agenda: 'Career plan',
    notes: null,
    status: 'completed',
    teamsLink: null,
    cancelReason: null,
    noShowReason: null,
    isOverdue: false,
    can,
    ...facts,
  };
}

const open = (sessions: CoachSession[]) =>
  drawAsking(
    <Somewhere>
      <CoachSessionList title="Your sessions today" sessions={sessions} emptyText="None" />
    </Somewhere>,
  );

test('COACH-36 notes are read and written beside a session where the server says so', async () => {
  await open([
    session({ notes: 'On track.', can: { ...can, writeNotes: true } }),
    session({ id: '0190b7a0-0000-7000-8000-000000000003', firstName: 'Bo' }),
  ]);
  expect(document.body.textContent).toContain('Notes: On track.');
  expect(screen.getAllByRole('button', { name: /notes/ })).toHaveLength(1);
  await press('Edit notes, session with Ana Alvarez');
  expect(await screen.findByRole('dialog', { name: 'Session notes' })).toBeTruthy();
});

test('a name is a link only where the page of the person opens', async () => {
  await open([session({}), session({ id: '3', firstName: 'Bo', can: { ...can, openPerson: false } })]);
  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Ana Alvarez']);
  expect(document.body.textContent).toContain('Bo Alvarez');
});
