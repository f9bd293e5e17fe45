import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  answerStipendQuestion,
  askAboutStipend,
  listStipendQuestions,
  withdrawStipendQuestion,
} from '#contract/stipend-questions.ts';
import { sendMessageQueue } from '#server/features/messages/message-queue.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { type BuiltPerson, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import type { Client, TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { toldBy } from '#test/support/live-news.ts';
import { startAppOfTwo } from '#test/support/two-admins.ts';
import { openQuestionsByAge } from './stipend-question-queries.ts';

let app: TestApp;
let ada: BuiltPerson;
let bea: BuiltPerson;
let asAda: Client;
let asBea: Client;

beforeAll(async () => {
  ({ app, ada, bea, asAda, asBea } = await startAppOfTwo());
});
afterAll(() => app.close());

/** A participant whose first week is judged, with a coach or without one, and what they can ask about it. */
async function askerOf(coach?: BuiltPerson, firstName = 'Nia') {
  const { id: cohortId, name: cohortName } = await buildCohort(app.db);
  const person = await buildParticipant(app.db, { firstName, lastName: 'Ng' });
  await enrol(app.db, { cohortId, participantId: person.id, ...(coach ? { coachId: coach.id } : {}) });
  await buildStipend(app.db, { fellowId: person.id, cohortId });
  const client = await app.as(person);
  const body = { cohortId, weekNumber: 1, question: 'Why is it less?' };
  const ask = () => client.call(askAboutStipend, { body });
  return { person, client, body, ask, cohortName };
}

const messagesFrom = async (senderId: string) => {
  const { rows } = await sql<{ data: { senderId: string } }>`
    select data from pgboss.job where name = ${sendMessageQueue.name}`.execute(app.db.withoutPlugins());
  return rows.map(({ data }) => data).filter((data) => data.senderId === senderId);
};

const noticesAbout = (questionId: string) =>
  app.db
    .selectFrom('noticeEvents')
    .select(['userId', 'kind', 'category', 'facts'])
    .where('eventKey', 'like', `stipend-question:${questionId}:%`)
    .orderBy('eventKey')
    .execute();

const answered = (id: string, answer: string) => ({ params: { id }, body: { closes: answer === '', answer } });

test('a coach gets a question as a message with the facts of the week, and is told of it by nothing else', async () => {
  const coach = await buildCoach(app.db);
  const { person, ask, body, cohortName } = await askerOf(coach);
  let id = '';
  const told = await toldBy(app, async () => ({ id } = await ask()));
  expect([told(person), told(coach), told(ada)]).toEqual([['questions'], ['questions'], ['questions']]);
  const lines = [
    'Question about my stipend of week 1:',
    body.question,
    '',
    `Week 1 (Sep 8, 2025 to Sep 12, 2025), ${cohortName}`,
    'Attendance: 5 of 5 activities attended (100%) (met)',
    'Assignments: 2 of 2 handed in (met)',
    'Performance: Rated 4.0 of 5 (met)',
    'Eligible, $500: Not decided yet',
  ];
  expect(await messagesFrom(person.id)).toEqual([
    { senderId: person.id, recipientId: coach.id, text: lines.join('\n'), clientKey: id },
  ]);
  expect(await noticesAbout(id)).toEqual([]);
});

test('the facts say what is so far and what waits while a week runs, and what was not met once it is over', async () => {
  const restore = stopClockAt('2025-09-17T16:00:00Z');
  const coach = await buildCoach(app.db);
  const { id: cohortId, name: cohortName } = await buildCohort(app.db);
  const person = await buildParticipant(app.db);
  await enrol(app.db, { cohortId, participantId: person.id, coachId: coach.id });
  const counts = { activitiesAccessed: 1, assignmentsSubmitted: 0, performanceRating: null };
  const own = { fellowId: person.id, cohortId, ...counts };
  await buildStipend(app.db, { ...own, weekNumber: 1, isMember: false });
  await buildStipend(app.db, { ...own, weekNumber: 2 });
  const client = await app.as(person);
  for (const weekNumber of [1, 2]) {
    await client.call(askAboutStipend, { body: { cohortId, weekNumber, question: 'Why?' } });
  }
  restore();
  const texts = (await messagesFrom(person.id)).map((data) => ('text' in data ? String(data.text) : ''));
  const factsOf = (week: number) =>
    texts
      .find((text) => text.startsWith(`Question about my stipend of week ${week}:`))
      ?.split('\n')
      .slice(3);
  expect(factsOf(1)).toEqual([
    `Week 1 (Sep 8, 2025 to Sep 12, 2025), ${cohortName}`,
    'Attendance: 1 of 5 activities attended (20%), 80% needed (not met)',
    'Assignments: 0 of 2 handed in (not met)',
    "Performance: Not rated yet, 3.0 needed (waiting for the coach's rating)",
    'No longer in the cohort',
    'Not Eligible, $500: Not decided yet',
  ]);
  expect(factsOf(2)).toEqual([
    `Week 2 (Sep 15, 2025 to Sep 19, 2025), ${cohortName}`,
    'Attendance: 1 of 5 activities attended (20%), 80% needed (so far)',
    'Assignments: 0 of 2 handed in (so far)',
    "Performance: Not rated yet, 3.0 needed (waiting for the coach's rating)",
    'Not Eligible yet, $500: Not decided yet',
  ]);
});

test('without a coach nobody gets a message, and every admin is told', async () => {
  const { person, ask } = await askerOf();
  const { id } = await ask();
  expect(await messagesFrom(person.id)).toEqual([]);
  const notices = await noticesAbout(id);
  expect(notices.map(({ userId }) => userId).toSorted()).toEqual([ada.id, bea.id].toSorted());
  expect(notices[0]).toMatchObject({
    ...{ kind: 'stipend_question', category: 'stipend_updates' },
    facts: {
      title: 'A question about a stipend',
      message: 'Nia Ng, who has no coach, asks about week 1.',
      link: '/stipend-questions',
    },
  });
});

test('a second question about a week waits for the answer to the first, and a week of others is none', async () => {
  const { client, ask, body } = await askerOf();
  await ask();
  const words = async (given: typeof body) => {
    const { status, problem } = await client.refused(askAboutStipend, { body: given });
    return [status, problem.detail];
  };
  expect(await words(body)).toEqual([409, 'You already asked about week 1. It is waiting for an answer.']);
  const { body: foreign } = await askerOf();
  expect(await words(foreign)).toEqual([404, 'You have no such week.']);
});

test('who asked takes an open question back, which is seen at once; nobody else does, and nobody an answered one', async () => {
  const { person, client, ask } = await askerOf();
  const { id } = await ask();
  const stranger = await askerOf();
  const gone = { status: 404, problem: { detail: 'You have no open question to take back.' } };
  expect(await stranger.client.refused(withdrawStipendQuestion, { params: { id } })).toMatchObject(gone);
  const told = await toldBy(app, async () => {
    expect(await client.call(withdrawStipendQuestion, { params: { id } })).toEqual({ done: true });
  });
  expect(told(person)).toEqual(['questions']);
  expect(await client.refused(withdrawStipendQuestion, { params: { id } })).toMatchObject(gone);
  const { id: again } = await ask();
  await asAda.call(answerStipendQuestion, answered(again, 'By one day.'));
  expect(await client.refused(withdrawStipendQuestion, { params: { id: again } })).toMatchObject(gone);
});

test('an answer is on record, told to who asked, and final', async () => {
  const { person, ask, body } = await askerOf();
  const { id } = await ask();
  const restore = stopClockAt('2025-10-08T14:00:00Z');
  const told = await toldBy(app, async () => {
    expect(await asAda.call(answerStipendQuestion, answered(id, 'By one day.'))).toEqual({ done: true });
  });
  restore();
  expect(told(person)).toEqual(expect.arrayContaining(['notices', 'questions']));
  const trail = app.db.selectFrom('auditLog').select(['action', 'actorId', 'subjectType', 'before', 'after']);
  expect(await trail.where('subjectId', '=', id).execute()).toEqual([
    {
      ...{ action: 'stipend.answer_question', actorId: ada.id, subjectType: 'stipend_question' },
      ...{ before: { question: body.question, weekNumber: 1 }, after: { answer: 'By one day.' } },
    },
  ]);
  const stored = app.db
    .selectFrom('stipendQuestions')
    .select(['status', 'answer', 'answeredBy', 'answeredAt'])
    .where('id', '=', id);
  const kept = { status: 'answered', answer: 'By one day.', answeredBy: ada.id };
  expect(await stored.execute()).toEqual([{ ...kept, answeredAt: new Date('2025-10-08T14:00:00Z') }]);
  expect((await noticesAbout(id)).filter(({ userId }) => userId === person.id)).toEqual([
    {
      ...{ userId: person.id, kind: 'stipend_question', category: 'stipend_updates' },
      facts: {
        title: 'Your question about week 1 was answered',
        message: 'Ada Admin: By one day.',
        link: '/my-stipends',
      },
    },
  ]);
  expect(await asBea.refused(answerStipendQuestion, answered(id, 'By two.'))).toMatchObject({
    status: 409,
    problem: { detail: 'This question was already answered or taken back. Please look at it again.' },
  });
  expect(await stored.execute()).toMatchObject([kept]);
});

test('an answer does not wait for somebody who changes the account of the person who asked', async () => {
  const { person, ask } = await askerOf();
  const { id } = await ask();
  await app.db.transaction().execute(async (changing) => {
    await sql`select from profiles where id = ${person.id} for no key update`.execute(changing);
    expect(await asAda.call(answerStipendQuestion, answered(id, 'By one day.'))).toEqual({ done: true });
  });
});

test('a question that is closed has no answer, and who asked reads that it was settled elsewhere', async () => {
  const { person, ask } = await askerOf();
  const { id } = await ask();
  await asBea.call(answerStipendQuestion, answered(id, ''));
  const stored = app.db.selectFrom('stipendQuestions').select(['status', 'answer', 'answeredBy']);
  expect(await stored.where('id', '=', id).execute()).toEqual([{ status: 'closed', answer: null, answeredBy: bea.id }]);
  const trail = app.db.selectFrom('auditLog').select(['action', 'after']).where('subjectId', '=', id);
  expect(await trail.execute()).toEqual([{ action: 'stipend.close_question', after: null }]);
  const [notice] = (await noticesAbout(id)).filter(({ userId }) => userId === person.id);
  expect(notice?.facts).toMatchObject({
    title: 'Your question about week 1 was closed',
    message: 'Bea Board closed it: it was settled elsewhere.',
  });
});

test('nobody answers their own question or reads it in the queue, also as an admin by now', async () => {
  const { person, ask } = await askerOf();
  const { id } = await ask();
  await app.db.updateTable('profiles').set({ role: 'admin' }).where('id', '=', person.id).execute();
  const asAdmin = await app.as(person);
  expect((await asAdmin.refused(answerStipendQuestion, answered(id, 'Me.'))).problem).toMatchObject({
    code: 'forbidden',
    detail: 'This is your own. Somebody else has to decide about it.',
  });
  const { rows } = await asAdmin.call(listStipendQuestions, { query: {} });
  expect(rows.map((row) => row.id)).not.toContain(id);
  expect((await asAda.call(listStipendQuestions, { query: {} })).rows.map((row) => row.id)).toContain(id);
});

test('a coach reads and answers the questions of own participants alone, and nobody those of people who are gone', async () => {
  const coach = await buildCoach(app.db);
  const own = await askerOf(coach);
  const { id } = await own.ask();
  const { id: foreign } = await (await askerOf()).ask();
  const asCoach = await app.as(coach);
  const idsFor = async (client: Client) =>
    (await client.call(listStipendQuestions, { query: {} })).rows.map((row) => row.id);
  expect(await idsFor(asCoach)).toEqual([id]);
  const gone = { status: 404, problem: { detail: 'Question not found' } };
  expect(await asCoach.refused(answerStipendQuestion, answered(foreign, 'No.'))).toMatchObject(gone);
  await app.db.updateTable('profiles').set({ deletedAt: new Date() }).where('id', '=', own.person.id).execute();
  expect(await idsFor(asAda)).not.toContain(id);
  expect(await asAda.refused(answerStipendQuestion, answered(id, 'No.'))).toMatchObject(gone);
});

test('open questions come the oldest first, answered and closed ones the latest answer first, by pages of 50', async () => {
  await app.db.deleteFrom('stipendQuestions').execute();
  const coach = await buildCoach(app.db, { firstName: 'Cleo', lastName: 'Coach' });
  const { person, body, cohortName } = await askerOf(coach);
  const others = { participantId: person.id, cohortId: body.cohortId, facts: ['Week 1'] };
  const open = { ...others, weekNumber: 1, question: 'Open?', askedAt: new Date('2025-10-01T12:00:00Z') };
  await app.db.insertInto('stipendQuestions').values(open).execute();
  const lone = await askerOf(undefined, 'Lone');
  const older = { participantId: lone.person.id, cohortId: lone.body.cohortId, facts: ['Week 1'], weekNumber: 1 };
  await app.db
    .insertInto('stipendQuestions')
    .values({ ...older, question: 'Older?', askedAt: new Date('2025-09-28T12:00:00Z') })
    .execute();
  await app.db
    .insertInto('stipendQuestions')
    .values(
      Array.from({ length: 51 }, (_, index) => ({
        ...{ ...others, weekNumber: 2, question: `Question ${index}`, askedAt: new Date('2025-09-20T12:00:00Z') },
        ...{ status: index % 2 ? 'closed' : 'answered', answer: index % 2 ? null : 'Yes.', answeredBy: ada.id },
        answeredAt: new Date(Date.parse('2025-10-02T12:00:00Z') + index * 60_000),
      })),
    )
    .execute();
  const restore = stopClockAt('2025-10-03T12:00:00Z');
  const waiting = await asAda.call(listStipendQuestions, { query: {} });
  const twoDays = await asAda.call(listStipendQuestions, { query: { age: 'underThreeDays' } });
  const asker = { ...ada, role: 'admin', trackType: null, sessionId: newId() } as const;
  const { counts } = await openQuestionsByAge(app.db, asker).executeTakeFirstOrThrow();
  const first = await asAda.call(listStipendQuestions, { query: { state: 'answered' } });
  const second = await asAda.call(listStipendQuestions, {
    query: { state: 'answered', cursor: first.nextCursor ?? '' },
  });
  restore();
  expect(counts).toEqual({ underOneDay: 0, underThreeDays: 1, underSevenDays: 1, fromSevenDays: 0 });
  expect(waiting.rows.map(({ question, coachName }) => [question, coachName])).toEqual([
    ['Older?', 'No coach assigned'],
    ['Open?', 'Cleo Coach'],
  ]);
  expect(twoDays.rows).toEqual([
    {
      ...{ id: expect.any(String), participantId: person.id, participantName: 'Nia Ng', cohortName, weekNumber: 1 },
      ...{ question: 'Open?', facts: ['Week 1'], askedAt: '2025-10-01T12:00:00.000Z', status: 'open' },
      ...{ answer: null, answeredBy: null, answeredAt: null, coachName: 'Cleo Coach' },
    },
  ]);
  expect([first.rows.length, second.rows.length, second.nextCursor]).toEqual([50, 1, null]);
  const questions = [...first.rows, ...second.rows].map(({ question }) => question);
  expect(questions).toEqual(Array.from({ length: 51 }, (_, index) => `Question ${50 - index}`));
  expect(first.rows[0]).toMatchObject({
    ...{ status: 'answered', answer: 'Yes.', answeredBy: 'Ada Admin', answeredAt: '2025-10-02T12:50:00.000Z' },
  });
});
