import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBooking } from '#contract/booking.ts';
import * as setup from '#contract/booking-setup.ts';
import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import { buildAvailability, buildCoachingSession } from '#test/factories/coaching.ts';
import { assignCoach } from '#test/factories/cohorts.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';
import { saveAvailability } from './booking-setup.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

const week = '2026-02-01';

async function someCoach() {
  const coach = await buildCoach(server.db);
  return { coach, client: await server.as(coach) };
}

function rowsOf(coach: { id: string }) {
  return server.db
    .selectFrom('coachAvailability')
    .select(['weekStartDate', 'dayOfWeek', 'startTime', 'endTime', 'isAvailable'])
    .where('coachId', '=', coach.id)
    .orderBy('weekStartDate')
    .orderBy('dayOfWeek')
    .orderBy('startTime')
    .execute();
}

const save = (schedulingEnabled: boolean, schedulingLink: string | null, instructions: string | null = null) => ({
  body: { schedulingEnabled, schedulingLink, instructions },
});

test('COACH-19 COACH-26 the link and the instructions are the coach’s own and are there when read again', async () => {
  const { coach, client } = await someCoach();
  const { coach: other } = await someCoach();
  expect(await client.call(setup.readBookingSetup)).toEqual({
    schedulingEnabled: false,
    schedulingLink: null,
    instructions: null,
  });
  const saved = { schedulingEnabled: true, schedulingLink: 'https://book.example/cole', instructions: 'One line.' };
  expect(await client.call(setup.saveBookingSetup, { body: saved })).toEqual(saved);
  expect(await client.call(setup.readBookingSetup)).toEqual(saved);
  const profiles = await server.db
    .selectFrom('profiles')
    .select(['id', 'schedulingEnabled', 'schedulingLink', 'externalBookingInstructions'])
    .where('id', 'in', [coach.id, other.id])
    .execute();
  expect(profiles.find(({ id }) => id === coach.id)).toMatchObject({
    schedulingEnabled: true,
    schedulingLink: 'https://book.example/cole',
    externalBookingInstructions: 'One line.',
  });
  expect(profiles.find(({ id }) => id === other.id)).toMatchObject({ schedulingEnabled: false, schedulingLink: null });
});

test('COACH-25 saved with scheduling switched off the link is cleared, whatever was sent', async () => {
  const { client } = await someCoach();
  await client.call(setup.saveBookingSetup, save(true, 'https://book.example/cole', 'One line.'));
  const off = await client.call(setup.saveBookingSetup, save(false, 'https://book.example/cole', 'One line.'));
  expect(off).toEqual({ schedulingEnabled: false, schedulingLink: null, instructions: 'One line.' });
  expect(await client.call(setup.saveBookingSetup, save(false, 'not an address'))).toMatchObject({
    schedulingLink: null,
  });
});

test('COACH-20 COACH-21 COACH-22 COACH-23 the server refuses with the words of the screen', async () => {
  const { client } = await someCoach();
  const refusals = [
    [null, 'URL is required'],
    ['  ', 'URL is required'],
    ['book me', 'Invalid URL format'],
    ['http://calendly.com.evil.example/cole', 'URL must use HTTPS'],
    ['javascript:alert(1)', 'URL must use HTTPS'],
    ['https://cole:secret@calendly.com/cole', 'URL must not contain a user name or password'],
    ['https://example.org/'.padEnd(2001, 'a'), 'URL must have at most 2000 characters'],
  ] as const;
  for (const [link, words] of refusals) {
    const { status, problem } = await client.refused(setup.saveBookingSetup, save(true, link));
    expect([status, problem.errors?.[0]?.message], String(link)).toEqual([422, words]);
  }
  expect((await client.call(setup.saveBookingSetup, save(true, 'http://calendly.com/cole'))).schedulingLink).toBe(
    'http://calendly.com/cole',
  );
});

test('COACH-51 times are kept a coach, week and day, in US Eastern wall-clock time, Sunday being day 0', async () => {
  const { coach, client } = await someCoach();
  const ranges = [
    { dayOfWeek: 0, startTime: '22:30', endTime: '24:00' },
    { dayOfWeek: 6, startTime: '09:00', endTime: '10:30' },
  ];
  const params = { weekStartDate: week };
  expect(await client.call(setup.saveAvailability, { params, body: { ranges } })).toEqual({
    weekStartDate: week,
    ranges,
  });
  expect(await client.call(setup.readAvailability, { params })).toEqual({ weekStartDate: week, ranges });
  expect(await rowsOf(coach)).toEqual([
    { weekStartDate: week, dayOfWeek: 0, startTime: '22:30:00', endTime: '24:00:00', isAvailable: true },
    { weekStartDate: week, dayOfWeek: 6, startTime: '09:00:00', endTime: '10:30:00', isAvailable: true },
  ]);
  const range = { dayOfWeek: 1, startTime: '09:00', endTime: '10:00' };
  const wrong = [
    [{ ...range, endTime: '09:00' }],
    [{ ...range, startTime: '09:15' }],
    [{ ...range, dayOfWeek: 7 }],
    [range, { ...range, startTime: '09:30', endTime: '11:00' }],
  ];
  for (const ranges of wrong) {
    expect((await client.refused(setup.saveAvailability, { params, body: { ranges } })).status).toBe(422);
  }
  const monday = { params: { weekStartDate: '2026-02-02' }, body: { ranges } };
  expect((await client.refused(setup.saveAvailability, monday)).status).toBe(422);
  expect(await rowsOf(coach)).toHaveLength(2);
});

test('COACH-52 saving a week replaces that coach’s rows of that week, and nothing at all where the insert fails', async () => {
  const { coach, client } = await someCoach();
  const { coach: other } = await someCoach();
  const times = { dayOfWeek: 2, startTime: '10:00', endTime: '11:00' };
  await buildAvailability(server.db, { ...times, coachId: other.id, weekStartDate: week });
  await buildAvailability(server.db, { ...times, coachId: coach.id, weekStartDate: '2026-02-08' });
  await buildAvailability(server.db, { ...times, coachId: coach.id, weekStartDate: week });
  const afternoon = { ...times, startTime: '14:00', endTime: '15:00' };
  const params = { weekStartDate: week };
  await client.call(setup.saveAvailability, { params, body: { ranges: [afternoon] } });
  const startTimes = async (one: { id: string }) =>
    (await rowsOf(one)).map((row) => [row.weekStartDate, row.startTime]);
  const expected = [
    [week, '14:00:00'],
    ['2026-02-08', '10:00:00'],
  ];
  expect(await startTimes(coach)).toEqual(expected);
  expect(await startTimes(other)).toEqual([[week, '10:00:00']]);
  const twice = server.db
    .transaction()
    .execute((db) => saveAvailability(db, coach, week, [{ ...times, dayOfWeek: 5 }, afternoon, afternoon]));
  await expect(twice).rejects.toThrow(/unique/);
  expect(await startTimes(coach)).toEqual(expected);
  await Promise.all([
    client.call(setup.saveAvailability, { params, body: { ranges: [afternoon] } }),
    client.call(setup.saveAvailability, { params, body: { ranges: [times] } }),
  ]);
  expect(await rowsOf(coach)).toHaveLength(2);
  await client.call(setup.saveAvailability, { params, body: { ranges: [] } });
  expect(await startTimes(coach)).toEqual([['2026-02-08', '10:00:00']]);
});

test('leave is listed from today on, can be removed, and participants see fresh times', async () => {
  const { coach, client } = await someCoach();
  const participant = await buildParticipant(server.db);
  await assignCoach(server.db, { participantId: participant.id, coachId: coach.id });
  const today = dayAt(new Date(), houseZone);
  const yesterday = addDays(today, -1);
  const body = { startsOn: yesterday, endsOn: today, note: ' Training ' };
  const news = await toldBy(server, () => client.call(setup.addLeave, { body }));
  expect(news(participant)).toEqual(['availability']);
  await client.call(setup.addLeave, { body: { startsOn: yesterday, endsOn: yesterday, note: null } });
  const { leave } = await client.call(setup.listLeave);
  expect(leave).toMatchObject([{ startsOn: yesterday, endsOn: today, note: 'Training' }]);
  const params = { id: leave[0]?.id ?? '' };
  await client.call(setup.removeLeave, { params });
  expect(await client.call(setup.listLeave)).toEqual({ leave: [] });
  const backwards = { body: { startsOn: today, endsOn: yesterday, note: null } };
  expect((await client.refused(setup.addLeave, backwards)).status).toBe(422);
});

test('the participants of a coach see at once what the coach changes of booking, and other people hear nothing', async () => {
  const { coach, client } = await someCoach();
  const [participant, stranger] = [await buildParticipant(server.db), await buildParticipant(server.db)];
  await assignCoach(server.db, { participantId: participant.id, coachId: coach.id });
  const today = dayAt(new Date(), houseZone);
  const leave = { startsOn: today, endsOn: today, note: null };
  const { id } = await client.call(setup.addLeave, { body: leave });
  const ranges = [{ dayOfWeek: 1, startTime: '09:00', endTime: '10:00' }];
  const acts = [
    () => client.call(setup.saveBookingSetup, save(true, 'https://book.example/cole')),
    () => client.call(setup.saveAvailability, { params: { weekStartDate: week }, body: { ranges } }),
    () => client.call(setup.removeLeave, { params: { id } }),
  ];
  for (const act of acts) {
    const news = await toldBy(server, act);
    expect(news(participant)).toEqual(['availability']);
    expect(news(stranger)).toEqual([]);
  }
});

test('instructions and a note of blanks alone are none', async () => {
  const { client } = await someCoach();
  const saved = await client.call(setup.saveBookingSetup, save(true, 'https://book.example/cole', '  '));
  expect(saved.instructions).toBeNull();
  const added = await client.call(setup.addLeave, {
    body: { startsOn: '2026-02-03', endsOn: '2026-02-04', note: '  ' },
  });
  expect(added).toEqual({ id: added.id, startsOn: '2026-02-03', endsOn: '2026-02-04', note: null });
});

test('leave of another coach, or leave that is gone, cannot be found and stays as it is', async () => {
  const { client } = await someCoach();
  const { client: stranger } = await someCoach();
  const today = dayAt(new Date(), houseZone);
  const { id } = await client.call(setup.addLeave, { body: { startsOn: today, endsOn: today, note: null } });
  const missing = { status: 404, problem: { detail: 'We cannot find this leave among yours.' } };
  expect(await stranger.refused(setup.removeLeave, { params: { id } })).toMatchObject(missing);
  expect((await client.call(setup.listLeave)).leave).toHaveLength(1);
  await client.call(setup.removeLeave, { params: { id } });
  expect(await client.refused(setup.removeLeave, { params: { id } })).toMatchObject(missing);
});

test('only coaches set booking up', async () => {
  for (const person of [await buildParticipant(server.db), await buildAdmin(server.db)]) {
    const client = await server.as(person);
    expect((await client.refused(setup.readBookingSetup)).status).toBe(403);
    expect((await client.refused(setup.listLeave)).status).toBe(403);
    expect((await client.refused(setup.readAvailability, { params: { weekStartDate: week } })).status).toBe(403);
  }
  expect((await (await server.as(null)).refused(readBooking, { query: {} })).status).toBe(401);
});

test('the database keeps no link that a browser would run, and a link without a scheme as before', async () => {
  const { coach } = await someCoach();
  const { id: participantId } = await buildParticipant(server.db);
  const session = await buildCoachingSession(server.db, {
    coachId: coach.id,
    participantId,
    scheduledAt: '2026-02-03T15:00:00Z',
  });
  const keep = async (link: string) => {
    for (const column of ['schedulingLink', 'calendlyLink', 'microsoftBookingLink'] as const) {
      await server.db
        .updateTable('profiles')
        .set({ [column]: link })
        .where('id', '=', coach.id)
        .execute();
    }
    await server.db.updateTable('coachingSessions').set({ teamsLink: link }).where('id', '=', session.id).execute();
  };
  for (const link of ['javascript:alert(1)', ' JavaScript:alert(1)', 'java\nscript:alert(1)', 'data:text/html,x']) {
    await expect(keep(link)).rejects.toThrow(/_of_the_web/);
    const onSession = server.db.updateTable('coachingSessions').set({ teamsLink: link }).where('id', '=', session.id);
    await expect(onSession.execute()).rejects.toThrow('coaching_sessions_link_is_of_the_web');
  }
  for (const link of ['HTTPS://meet.example:8443/a', 'calendly.com/casey']) await keep(link);
});
