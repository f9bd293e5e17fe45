import ICAL from 'ical.js';
import type { Email } from 'postal-mime';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { bookSession, moveSession, withdrawSession } from '#contract/booking.ts';
import { cancelSession } from '#contract/coach-sessions.ts';
import { defaultPreferences, listNotices, saveNotificationPreferences } from '#contract/notices.ts';
import { deleteUser } from '#contract/user-management.ts';
import { cancelSessionsOfPerson } from '#server/features/coaching/person-sessions.ts';
import { sendMailJob } from '#server/features/deliveries/send-mail.ts';
import { decideDueNotices } from '#server/features/notices/notice-jobs.ts';
import { buildAvailability } from '#test/factories/coaching.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { buildMemberWithCoach, eventsIn, openFeed, readFeed } from '#test/support/calendar-feed.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { startMailServer, type TestMailServer } from '#test/support/mail-server.ts';

let mailServer: TestMailServer;
let server: TestApp;
let restoreClock: () => void;
beforeAll(async () => {
  mailServer = await startMailServer();
  server = await startTestApp({
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Switchyard <calendar@switchyard.example>',
    PUBLIC_URL: 'https://switchyard.example',
  });
});
afterAll(async () => {
  await server.close();
  await mailServer.close();
});
beforeEach(() => {
  restoreClock = stopClockAt('2026-03-02T17:00:00Z');
});
afterEach(() => restoreClock());

interface Person {
  id: string;
  email: string;
}

/** Builds Paula and her coach Cora, who takes sessions at these US Eastern times of one day. */
async function pairWithTimes(weekStartDate: string, dayOfWeek: number, startTime: string, endTime: string) {
  const { coach, participant } = await buildMemberWithCoach(server);
  await buildAvailability(server.db, { coachId: coach.id, weekStartDate, dayOfWeek, startTime, endTime });
  return { coach, participant, client: await server.as(participant) };
}

/** Sends what waits for a person, as the job would. A failure of the mail server counts as an answer too. */
async function send({ id }: Person) {
  await decideDueNotices(server.app);
  const waiting = await server.db
    .selectFrom('deliveries')
    .select('id')
    .where('recipientId', '=', id)
    .where('status', 'in', ['queued', 'failed'])
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  const attempt = { number: 1, isLast: false };
  return Promise.allSettled(
    waiting.map((delivery) => sendMailJob.run(server.app, { deliveryId: delivery.id }, attempt)),
  );
}

/** Returns all mails that arrived at a person, in the order of the changes. */
async function mailsAt(person: Person) {
  await send(person);
  return mailServer.received
    .filter(({ to }) => to.includes(person.email))
    .map(({ mail }) => ({ mail, text: invitationIn(mail), event: eventIn(invitationIn(mail)) }))
    .sort((a, b) => a.event.sequence - b.event.sequence);
}

/** Returns the calendar part. The mail has it twice: for the mail program, and as a file. */
function invitationIn(mail: Email): string {
  const parts = mail.attachments.map(({ content, ...part }) => ({ ...part, text: textOf(content) }));
  const [reading, file] = [
    parts.find(({ mimeType }) => mimeType === 'text/calendar'),
    parts.find(({ filename }) => filename === 'invite.ics'),
  ];
  if (!reading || !file) throw new Error(`No calendar part in ${mail.subject}`);
  expect(reading.method).toBe(eventIn(reading.text).method);
  expect(file.text).toBe(reading.text);
  return reading.text;
}

/** The reader of mails ends each line with a line feed alone. */
function textOf(content: ArrayBuffer | Uint8Array | string): string {
  const text = typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('utf8');
  return text.replace(/\r?\n/g, '\r\n');
}

/** Reads strictly: there is one event, and each property appears once. */
function eventIn(text: string) {
  const file = new ICAL.Component(ICAL.parse(text));
  const events = file.getAllSubcomponents('vevent');
  const [event] = events;
  if (!event || events.length > 1) throw new Error('There has to be one event.');
  const one = (name: string) => {
    const values = event.getAllProperties(name).map((property) => property.getFirstValue());
    if (values.length !== 1) throw new Error(`${name} stands ${values.length} times.`);
    return String(values[0]);
  };
  return {
    method: String(file.getFirstPropertyValue('method')),
    uid: one('uid'),
    sequence: Number(one('sequence')),
    status: one('status'),
    summary: one('summary'),
    organizer: one('organizer'),
    attendees: event.getAllProperties('attendee').map((property) => String(property.getFirstValue())),
  };
}

const sentFor = (text: string) => eventsIn(text).map(({ start, end }) => [start.toISOString(), end?.toISOString()]);

test('a session that is booked, moved and cancelled is one event in the calendars of both people', async () => {
  const { coach, participant, client } = await pairWithTimes('2026-03-01', 3, '10:00', '11:30');
  const body = { coachId: coach.id, startsAt: '2026-03-04T15:00:00Z', agenda: 'A private matter' };
  const sendToBoth = async () => {
    for (const person of [participant, coach]) await send(person);
  };
  const { id } = await client.call(bookSession, { body });
  await sendToBoth();
  await client.call(moveSession, { params: { id }, body: { startsAt: '2026-03-04T16:00:00Z' } });
  await sendToBoth();
  await client.call(withdrawSession, { params: { id } });
  const event = {
    uid: `session-${id}@switchyard`,
    organizer: 'mailto:calendar@switchyard.example',
    attendees: expect.arrayContaining([`mailto:${coach.email}`, `mailto:${participant.email}`]),
  };
  for (const [person, other] of [
    [participant, 'Cora Coach'],
    [coach, 'Paula Prior'],
  ] as const) {
    const mails = await mailsAt(person);
    const summary = `Coaching session with ${other}`;
    expect(mails.map((mail) => mail.event)).toEqual([
      { ...event, method: 'REQUEST', sequence: 0, status: 'CONFIRMED', summary },
      { ...event, method: 'REQUEST', sequence: 1, status: 'CONFIRMED', summary },
      { ...event, method: 'CANCEL', sequence: 2, status: 'CANCELLED', summary: `Cancelled: ${summary}` },
    ]);
    const [booked, moved, cancelled] = mails;
    expect(booked?.text).toContain('DTSTART;TZID=America/New_York:20260304T100000\r\n');
    expect(booked?.text).toContain('BEGIN:VTIMEZONE\r\nTZID:America/New_York\r\n');
    expect(sentFor(booked?.text ?? '')).toEqual([['2026-03-04T15:00:00.000Z', '2026-03-04T15:30:00.000Z']]);
    expect(sentFor(moved?.text ?? '')).toEqual([['2026-03-04T16:00:00.000Z', '2026-03-04T16:30:00.000Z']]);
    expect(moved?.mail.text).toContain('from Wed 4 Mar, 10:00 AM ET to Wed 4 Mar, 11:00 AM ET.');
    expect(cancelled?.mail.text).toContain('Wed 4 Mar, 11:00 AM ET.');
    expect(mails.map(({ text }) => text).join()).not.toContain('private matter');
  }
});

test('the person who books is told so behind the bell and by mail, as the other side is', async () => {
  const { coach, participant, client } = await pairWithTimes('2026-03-01', 3, '10:00', '11:30');
  const startsAt = '2026-03-04T15:00:00Z';
  const { id } = await client.call(bookSession, { body: { coachId: coach.id, startsAt, agenda: null } });
  const newest = async (person: Person) =>
    (await (await server.as(person)).call(listNotices, { query: {} })).rows.map(({ title, message, link }) => ({
      title,
      message,
      link,
    }));
  expect(await newest(participant)).toEqual([
    {
      title: 'Your coaching session is booked',
      message: 'You booked a session with Cora Coach on Wed 4 Mar, 10:00 AM ET.',
      link: '/coaching',
    },
  ]);
  expect(await newest(coach)).toEqual([
    {
      title: 'A coaching session was booked',
      message: 'Paula Prior booked a session on Wed 4 Mar, 10:00 AM ET.',
      link: '/coach?tab=sessions',
    },
  ]);
  for (const person of [participant, coach]) await send(person);
  const byCoach = await server.as(coach);
  await byCoach.call(cancelSession, { params: { id }, body: { reason: 'Family emergency' } });
  expect((await newest(coach))[0]).toMatchObject({ title: 'Your coaching session is cancelled' });
  expect((await newest(participant))[0]).toMatchObject({ title: 'A coaching session was cancelled' });
  const subjects = async (person: Person) => (await mailsAt(person)).map(({ mail }) => mail.subject);
  expect(await subjects(participant)).toEqual(['Your coaching session is booked', 'A coaching session was cancelled']);
  expect(await subjects(coach)).toEqual(['A coaching session was booked', 'Your coaching session is cancelled']);
});

test('in the weeks of 8 March and 1 November 2026 page, mail and calendar part mean the same instants', async () => {
  const weeks = [
    {
      ...{ clock: '2026-03-06T17:00:00Z', week: '2026-03-08', day: 0, from: '01:30', to: '03:30' },
      // These are the half hour before the clocks skip an hour, and the one after it.
      starts: ['2026-03-08T06:30:00.000Z', '2026-03-08T07:00:00.000Z'],
      words: ['Sun 8 Mar, 1:30 AM ET', 'Sun 8 Mar, 3:00 AM ET'],
    },
    {
      ...{ clock: '2026-10-30T17:00:00Z', week: '2026-11-01', day: 0, from: '01:30', to: '02:30' },
      // The first one ends when one o'clock comes for the second time.
      starts: ['2026-11-01T05:30:00.000Z', '2026-11-01T07:00:00.000Z'],
      words: ['Sun 1 Nov, 1:30 AM ET', 'Sun 1 Nov, 2:00 AM ET'],
    },
    {
      ...{ clock: '2026-10-30T17:00:00Z', week: '2026-11-01', day: 1, from: '10:00', to: '11:00' },
      starts: ['2026-11-02T15:00:00.000Z', '2026-11-02T15:30:00.000Z'],
      words: ['Mon 2 Nov, 10:00 AM ET', 'Mon 2 Nov, 10:30 AM ET'],
    },
  ];
  for (const { clock, week, day, from, to, starts, words } of weeks) {
    restoreClock();
    restoreClock = stopClockAt(clock);
    const { coach, participant, client } = await pairWithTimes(week, day, from, to);
    for (const startsAt of starts) {
      await client.call(bookSession, { body: { coachId: coach.id, startsAt, agenda: null } });
    }
    const expected = starts.map((start) => [start, new Date(Date.parse(start) + 1_800_000).toISOString()]);
    for (const person of [participant, coach]) {
      const mails = await mailsAt(person);
      expect(mails.flatMap(({ text }) => sentFor(text)).sort()).toEqual(expected);
      for (const said of words)
        expect(
          mails.some(({ mail }) => mail.text?.includes(said)),
          said,
        ).toBe(true);
      const { path } = await openFeed(server, person);
      expect(sentFor((await readFeed(server, path)).text).sort()).toEqual(expected);
    }
  }
});

test('the calendar part is kept as it was made, and sent again to the last byte', async () => {
  const { coach, participant, client } = await pairWithTimes('2026-03-01', 3, '10:00', '11:30');
  const startsAt = '2026-03-04T15:00:00Z';
  const { id } = await client.call(bookSession, { body: { coachId: coach.id, startsAt, agenda: null } });
  mailServer.fault = 'hangs up';
  expect(await send(participant)).toMatchObject([{ status: 'rejected' }]);
  const kept = () =>
    server.db
      .selectFrom('deliveries')
      .select(['status', 'calendarMethod', 'calendarText'])
      .where('recipientId', '=', participant.id)
      .executeTakeFirstOrThrow();
  const { status, calendarMethod, calendarText } = await kept();
  expect([status, calendarMethod]).toEqual(['failed', 'REQUEST']);
  await server.db.updateTable('profiles').set({ lastName: 'Renamed' }).where('id', '=', coach.id).execute();
  mailServer.fault = null;
  const [mail] = await mailsAt(participant);
  expect(mail?.text).toBe(calendarText);
  expect(mail?.event).toMatchObject({ summary: 'Coaching session with Cora Coach', uid: `session-${id}@switchyard` });
  expect((await kept()).status).toBe('sent');
});

test('a name with quotes, a comma and a line end stays one name, and an odd address one address', async () => {
  const { coach, participant, client } = await pairWithTimes('2026-03-01', 3, '10:00', '11:30');
  await server.db
    .updateTable('profiles')
    .set({ firstName: 'Cora, "the', lastName: 'Fox\r\nATTENDEE:mailto:mallory@x.example' })
    .where('id', '=', coach.id)
    .execute();
  const startsAt = '2026-03-04T15:00:00Z';
  await client.call(bookSession, { body: { coachId: coach.id, startsAt, agenda: null } });
  const [mail] = await mailsAt(participant);
  expect(mail?.event.attendees).toHaveLength(2);
  const unfolded = (mail?.text ?? '').replaceAll('\r\n ', '');
  expect(unfolded).toContain(`ATTENDEE;CN="Cora, 'the Fox ATTENDEE:mailto:mallory@x.example";`);
  expect(unfolded.split('\r\n').filter((line) => line.startsWith('ATTENDEE'))).toHaveLength(2);
});

test('a person who switched messages from the coach off, or mails, gets no mail; the notice behind the bell stays', async () => {
  const { coach, participant, client } = await pairWithTimes('2026-03-01', 3, '10:00', '11:30');
  await client.call(saveNotificationPreferences, { body: { ...defaultPreferences, coachMessages: false } });
  const body = { ...defaultPreferences, emailEnabled: false };
  await (await server.as(coach)).call(saveNotificationPreferences, { body });
  const startsAt = '2026-03-04T15:00:00Z';
  await client.call(bookSession, { body: { coachId: coach.id, startsAt, agenda: null } });
  await decideDueNotices(server.app);
  const written = await server.db
    .selectFrom('deliveries')
    .select('id')
    .where('recipientId', 'in', [participant.id, coach.id])
    .execute();
  expect(written).toEqual([]);
  expect((await client.call(listNotices, { query: {} })).rows).toHaveLength(1);
});

test('what a mail brought into a calendar is moved and taken away there, also after mails were switched off, or where we never heard that it arrived', async () => {
  const { coach, participant, client } = await pairWithTimes('2026-03-01', 3, '10:00', '12:00');
  const body = { coachId: coach.id, startsAt: '2026-03-04T15:00:00Z', agenda: null };
  const { id } = await client.call(bookSession, { body });
  // The coach's mail arrives, but the mail server's answer is lost.
  mailServer.fault = 'keeps, then drops';
  await send(coach);
  mailServer.fault = null;
  expect(await mailsAt(participant)).toHaveLength(1);
  const off = { ...defaultPreferences, coachMessages: false, pushEnabled: true };
  await client.call(saveNotificationPreferences, { body: off });
  const asCoach = await server.as(coach);
  await asCoach.call(saveNotificationPreferences, { body: { ...defaultPreferences, emailEnabled: false } });
  await client.call(moveSession, { params: { id }, body: { startsAt: '2026-03-04T16:00:00Z' } });
  for (const person of [participant, coach]) await send(person);
  await asCoach.call(cancelSession, { params: { id }, body: { reason: null } });
  for (const person of [participant, coach]) {
    const mails = await mailsAt(person);
    expect(mails.map(({ text, event }) => [/METHOD:(\w+)/.exec(text)?.[1], event.sequence])).toEqual([
      ['REQUEST', 0],
      ['REQUEST', 1],
      ['CANCEL', 2],
    ]);
  }
});

test('an invitation that waits for the mail server is dropped when mails are switched off, and so is its cancellation', async () => {
  const { coach, participant, client } = await pairWithTimes('2026-03-01', 4, '10:00', '12:00');
  const body = { coachId: coach.id, startsAt: '2026-03-05T15:00:00Z', agenda: null };
  const { id } = await client.call(bookSession, { body });
  await decideDueNotices(server.app);
  await client.call(saveNotificationPreferences, { body: { ...defaultPreferences, emailEnabled: false } });
  expect(await mailsAt(participant)).toEqual([]);
  await (await server.as(coach)).call(cancelSession, { params: { id }, body: { reason: null } });
  expect(await mailsAt(participant)).toEqual([]);
  const written = await server.db
    .selectFrom('deliveries')
    .select(['status', 'lastError'])
    .where('recipientId', '=', participant.id)
    .execute();
  expect(written).toEqual([{ status: 'dropped', lastError: 'The person switched it off.' }]);
});

test('an invitation that waited while its session was moved or cancelled never comes after the news of that', async () => {
  const { coach, participant, client } = await pairWithTimes('2026-03-01', 4, '10:00', '12:00');
  const body = { coachId: coach.id, startsAt: '2026-03-05T15:00:00Z', agenda: null };
  const { id } = await client.call(bookSession, { body });
  mailServer.fault = 'hangs up';
  for (const person of [participant, coach]) await send(person);
  mailServer.fault = null;
  await client.call(moveSession, { params: { id }, body: { startsAt: '2026-03-05T16:00:00Z' } });
  const seenBy = async (person: Person) => (await mailsAt(person)).map(({ event }) => [event.method, event.sequence]);
  expect(await seenBy(participant)).toEqual([['REQUEST', 1]]);
  await client.call(withdrawSession, { params: { id } });
  expect(await seenBy(participant)).toEqual([
    ['REQUEST', 1],
    ['CANCEL', 2],
  ]);
  // The coach's mails all waited, so only the last word goes.
  expect(await seenBy(coach)).toEqual([['CANCEL', 2]]);
  const waited = await server.db
    .selectFrom('deliveries')
    .select(['status', 'lastError'])
    .where('recipientId', '=', coach.id)
    .orderBy('id')
    .execute();
  const dropped = { status: 'dropped', lastError: 'The session was changed again.' };
  expect(waited).toEqual([dropped, dropped, { status: 'sent', lastError: null }]);
});

test('when the account of a coach is closed, the meeting leaves the calendar that it was brought into, and what waited for the mail server is dropped', async () => {
  const admin = await server.as(await buildAdmin(server.db));
  const invited = await pairWithTimes('2026-03-01', 4, '10:00', '12:00');
  const waiting = await pairWithTimes('2026-03-01', 4, '10:00', '12:00');
  for (const { client, coach, participant } of [invited, waiting]) {
    await client.call(bookSession, { body: { coachId: coach.id, startsAt: '2026-03-05T15:00:00Z', agenda: null } });
    mailServer.fault = participant === waiting.participant ? 'hangs up' : null;
    await send(participant);
  }
  mailServer.fault = null;
  const off = { ...defaultPreferences, coachMessages: false };
  await invited.client.call(saveNotificationPreferences, { body: off });
  for (const { coach } of [invited, waiting]) {
    await admin.call(deleteUser, { params: { id: coach.id } });
    await server.db.transaction().execute((db) => cancelSessionsOfPerson(db, null, coach.id, 'The account was closed'));
  }
  const seenBy = async (person: Person) => (await mailsAt(person)).map(({ event }) => [event.method, event.sequence]);
  expect(await seenBy(invited.participant)).toEqual([
    ['REQUEST', 0],
    ['CANCEL', 1],
  ]);
  expect(await seenBy(waiting.participant)).toEqual([['CANCEL', 1]]);
});
