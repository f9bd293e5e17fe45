import { afterAll, beforeAll, expect, test } from 'vitest';
import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { fillCoaching } from './coaching.ts';
import { easternTime, mondayOf } from './past.ts';
import { assignCoaches, enrolAll, makeCourses, makePeople, setUpBooking } from './people.ts';
import { makeCohort } from './programme.ts';

const wallClock = new Intl.DateTimeFormat('en-US', {
  timeZone: houseZone,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const halfHours = Array.from({ length: 48 }, (_, index) => {
  const hour = String(Math.floor(index / 2)).padStart(2, '0');
  return `${hour}:${index % 2 === 0 ? '00' : '30'}`;
});

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

test.each([
  ['2027-03-14', ['02:00', '02:30'], ['2027-03-14T07:00:00.000Z', '2027-03-14T07:30:00.000Z']],
  ['2026-11-01', ['01:00', '01:30'], ['2026-11-01T05:00:00.000Z', '2026-11-01T05:30:00.000Z']],
])('each half hour of %s is the one that a clock shows', (day, odd, instants) => {
  const leftOut = day === '2027-03-14' ? odd : [];
  for (const time of halfHours.filter((one) => !leftOut.includes(one))) {
    const at = easternTime(day, time);
    expect([dayAt(at, houseZone), wallClock.format(at)]).toEqual([day, time]);
  }
  expect(odd.map((time) => easternTime(day, time).toISOString())).toEqual(instants);
});

test.each([
  ['2027-03-14', '2027-03-14T20:00:00Z'],
  ['2026-11-01', '2026-11-01T15:30:00Z'],
])('the first start of the demo on %s finds its sessions of that day free', async (day, instant) => {
  const restoreClock = stopClockAt(instant);
  try {
    await expect(
      server.db.transaction().execute(async (db) => {
        expect(await timesOfToday(db, day)).toEqual(['10:00', '13:30', '16:30']);
        throw new Error('enough seen');
      }),
    ).rejects.toThrow('enough seen');
  } finally {
    restoreClock();
  }
});

async function timesOfToday(db: Db, day: string): Promise<string[]> {
  const { admin, coaches, fellows } = await makePeople(db);
  await makeCourses(db, admin);
  await setUpBooking(db, coaches);
  const startDate = addDays(mondayOf(day), -28);
  const facts = { name: 'Of that day', startDate, status: 'active', capacity: 30, description: 'Sixteen weeks.' };
  const cohort = await makeCohort(db, admin, facts);
  await enrolAll(db, admin, fellows, cohort);
  await assignCoaches(db, admin, fellows, startDate);
  await fillCoaching(db, startDate, fellows);
  const sessions = await db.selectFrom('coachingSessions').select('scheduledAt').orderBy('scheduledAt').execute();
  const ofDay = sessions.filter(({ scheduledAt }) => dayAt(new Date(scheduledAt), houseZone) === day);
  return ofDay.map(({ scheduledAt }) => wallClock.format(new Date(scheduledAt)));
}
