import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listSubmissions, type SubmissionRow, type SubmissionStatus } from '#contract/submissions.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';

let server: TestApp;
let coach: BuiltPerson;
let asCoach: Client;
let asAdmin: Client;
let nadia: BuiltPerson;
let otto: BuiltPerson;
let relays: { id: string };
let breakers: { id: string };

/** Two people and two assignments. Nadia is the coach's participant, Otto nobody's. */
beforeAll(async () => {
  server = await startTestApp();
  const { db } = server;
  coach = await buildCoach(db);
  asCoach = await server.as(coach);
  asAdmin = await server.as(await buildAdmin(db));
  const cohort = await buildCohort(db);
  nadia = await buildParticipant(db, { firstName: 'Nadia', lastName: 'Ng', email: 'n.ng@people.example' });
  otto = await buildParticipant(db, { firstName: 'Otto', lastName: 'Other', email: 'otto_100%@people.example' });
  await enrol(db, { cohortId: cohort.id, participantId: nadia.id, coachId: coach.id });
  await enrol(db, { cohortId: cohort.id, participantId: otto.id });
  const walk = await buildActivity(db, { cohortId: cohort.id, title: 'Substation walk-down' });
  const lab = await buildActivity(db, { cohortId: cohort.id, title: 'Relay laboratory' });
  breakers = await buildAssignment(db, { trainingActivityId: walk.id, title: 'Breakers' });
  relays = await buildAssignment(db, { trainingActivityId: lab.id, title: 'Settings' });
  await handedIn(nadia, breakers, 1, 'submitted');
  await handedIn(otto, breakers, 2, 'accepted');
  await handedIn(otto, relays, 3, 'submitted');
  await handedIn(nadia, relays, 4, 'needs_revision');
});
afterAll(() => server.close());

function handedIn(person: BuiltPerson, assignment: { id: string }, day: number, status: SubmissionStatus) {
  const submittedAt = new Date(Date.UTC(2026, 0, day));
  const facts = { assignmentId: assignment.id, userId: person.id, submittedAt, status, reviewedBy: coach.id };
  return buildSubmission(server.db, facts);
}

type Query = NonNullable<Parameters<typeof asAdmin.call<typeof listSubmissions>>[1]>['query'];

/** Returns names such as 'Nadia: Breakers'. */
async function listed(client: Client, query: Query) {
  const { rows } = await client.call(listSubmissions, { query });
  return rows.map(nameOf);
}

function nameOf({ participantName, assignmentTitle }: SubmissionRow): string {
  return `${participantName.split(' ')[0]}: ${assignmentTitle}`;
}

const newestFirst = ['Nadia: Settings', 'Otto: Settings', 'Otto: Breakers', 'Nadia: Breakers'];

test('reviewers search by the name and address of the participant, the assignment and the activity', async () => {
  const found: Record<string, string[]> = {
    nadia: ['Nadia: Settings', 'Nadia: Breakers'],
    'dia n': ['Nadia: Settings', 'Nadia: Breakers'],
    'N.NG@': ['Nadia: Settings', 'Nadia: Breakers'],
    BREAK: ['Otto: Breakers', 'Nadia: Breakers'],
    laboratory: ['Nadia: Settings', 'Otto: Settings'],
    '100%@': ['Otto: Settings', 'Otto: Breakers'],
    // One has it in the name, the other in the title. Each submission is listed once.
    tt: ['Nadia: Settings', 'Otto: Settings', 'Otto: Breakers'],
    'people.example': newestFirst,
    '%': ['Otto: Settings', 'Otto: Breakers'],
    nothing: [],
  };
  for (const [search, names] of Object.entries(found)) {
    expect(await listed(asAdmin, { search }), search).toEqual(names);
    expect(await listed(asCoach, { search }), search).toEqual(names);
  }
  expect(await listed(asAdmin, { search: '  ' })).toEqual(newestFirst);
});

test('a search goes together with status, tab, order and the own participants', async () => {
  expect(await listed(asAdmin, { search: 'otto', status: 'accepted' })).toEqual(['Otto: Breakers']);
  expect(await listed(asAdmin, { search: 'settings', view: 'pending' })).toEqual(['Otto: Settings']);
  expect(await listed(asAdmin, { search: 'otto', order: 'oldest' })).toEqual(['Otto: Breakers', 'Otto: Settings']);
  expect(await listed(asCoach, { search: 'break', mine: 'true' })).toEqual(['Nadia: Breakers']);
  expect(await listed(asCoach, { search: 'otto', mine: 'true' })).toEqual([]);
  const asNadia = await server.as(nadia);
  expect(await listed(asNadia, { search: 'break' })).toEqual(['Nadia: Breakers']);
  expect(await listed(asNadia, { search: 'otto' })).toEqual([]);
});

test('SUBM-06 either tab is sorted by waiting time or newest first, the pending one by waiting time unless asked', async () => {
  expect(await listed(asAdmin, {})).toEqual(newestFirst);
  expect(await listed(asAdmin, { order: 'oldest' })).toEqual(newestFirst.toReversed());
  expect(await listed(asAdmin, { view: 'pending' })).toEqual(['Nadia: Breakers', 'Otto: Settings']);
  expect(await listed(asAdmin, { view: 'pending', order: 'newest' })).toEqual(['Otto: Settings', 'Nadia: Breakers']);
});

test('SUBM-24 submissions are read per person, by status for a set of people, and by assignment and person', async () => {
  expect(await listed(asAdmin, { participants: otto.id })).toEqual(['Otto: Settings', 'Otto: Breakers']);
  const both = `${nadia.id},${otto.id}`;
  const { rows } = await asAdmin.call(listSubmissions, { query: { view: 'pending', participants: both } });
  expect(rows).toMatchObject([
    { participantName: 'Nadia Ng', assignmentTitle: 'Breakers', activityTitle: 'Substation walk-down' },
    { participantName: 'Otto Other', assignmentTitle: 'Settings', activityTitle: 'Relay laboratory' },
  ]);
  expect(await listed(asAdmin, { participants: nadia.id, assignment: relays.id })).toEqual(['Nadia: Settings']);
  expect(await listed(asAdmin, { assignment: breakers.id })).toEqual(['Otto: Breakers', 'Nadia: Breakers']);
  expect(await listed(asCoach, { assignment: breakers.id, mine: 'true' })).toEqual(['Nadia: Breakers']);
  expect(await listed(await server.as(otto), { participants: nadia.id })).toEqual([]);
  const { status } = await asAdmin.refused(listSubmissions, { query: { participants: 'nobody' } });
  expect(status).toBe(422);
});

test('pages of every choice follow each other without a gap or a repetition', async () => {
  const { db } = server;
  const people = await Promise.all(Array.from({ length: 20 }, () => buildParticipant(db, { firstName: 'Pat' })));
  await buildIdlePeople(210, 'Patrick');
  const cohort = await buildCohort(db);
  for (const { id } of people) await enrol(db, { cohortId: cohort.id, participantId: id, coachId: coach.id });
  const activity = await buildActivity(db, { cohortId: cohort.id, title: 'Paging' });
  const assignments = await Promise.all(
    Array.from({ length: 4 }, () => buildAssignment(db, { trainingActivityId: activity.id, title: 'Page work' })),
  );
  const submittedAt = (n: number) => new Date(Date.UTC(2026, 1, 1, 12, n % 7));
  await db
    .insertInto('contentSubmissions')
    .values(
      people.flatMap(({ id }, person) =>
        assignments.map((assignment, n) => ({
          assignmentId: assignment.id,
          userId: id,
          submissionText: 'Work',
          submittedAt: submittedAt(person * 4 + n),
        })),
      ),
    )
    .execute();
  const choices: Query[] = [
    { search: 'pat' },
    { search: 'pat', status: 'submitted', order: 'oldest' },
    { search: 'page work', order: 'oldest' },
    { search: 'pag', view: 'pending' },
    { participants: people.map(({ id }) => id).join(',') },
    { search: 'paging', mine: 'true' },
  ];
  for (const choice of choices) {
    const rows: SubmissionRow[] = [];
    let cursor: string | undefined;
    do {
      const page = await asCoach.call(listSubmissions, { query: { ...choice, cursor } });
      rows.push(...page.rows);
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(rows, JSON.stringify(choice)).toHaveLength(80);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(80);
    const times = rows.map((row) => row.submittedAt);
    const isOldestFirst = choice.order === 'oldest' || choice.view === 'pending';
    expect(times).toEqual(isOldestFirst ? times.toSorted() : times.toSorted().reverse());
  }
});

/** With this many, a search for them walks along the list instead of reading each person's part. */
async function buildIdlePeople(count: number, firstName: string): Promise<void> {
  await sql`
    with made as (
      insert into auth."user" (id, name, email, email_verified, first_name, last_name)
      select id, ${firstName}, id || '@people.example', true, ${firstName}, 'Idle'
      from (select gen_random_uuid() as id from generate_series(1, ${sql.lit(count)})) as drawn
      returning id, email, first_name, last_name
    )
    insert into profiles (id, email, first_name, last_name, role)
    select id, email, first_name, last_name, 'participant' from made`.execute(server.db);
}
