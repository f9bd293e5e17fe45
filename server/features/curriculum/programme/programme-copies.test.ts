import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCohorts, readCohort } from '#contract/cohorts.ts';
import { readActivity } from '#contract/learning.ts';
import { copyProgramme, moveCohort, previewProgrammeDates, undoProgrammeCopy } from '#contract/programme-copies.ts';
import { addDays } from '#contract/weeks.ts';
import { cohortFactTables } from '#server/features/cohorts/cohort-copy-queries.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import {
  buildActivity,
  buildAssignment,
  buildContentItem,
  buildWeeklyRequirement,
} from '#test/factories/curriculum.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { attend } from '#test/factories/stipends.ts';
import { buildStoredFile } from '#test/factories/stored-files.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { countStatements } from '#test/support/statements.ts';
import { copiedColumns } from './programme-copy-rows.ts';

let server: TestApp;
let ada: BuiltPerson;
let admin: Client;
beforeAll(async () => {
  server = await startTestApp();
  ada = await buildAdmin(server.db);
  admin = await server.as(ada);
});
afterAll(() => server.close());

const weekday = (day: string) => new Date(`${day}T12:00:00Z`).getUTCDay();

/** Builds two weeks of Monday and Thursday sessions with work, from 8 September 2025. */
async function buildSource() {
  const { db } = server;
  const cohort = await buildCohort(db, { curriculumVersion: '7', unlockedWeeks: 9, description: 'As it was' });
  const file = await buildStoredFile(db, { ownerId: ada.id, area: 'content' });
  const monday = await buildActivity(db, {
    cohortId: cohort.id,
    title: 'Monday session',
    weekNumber: 1,
    sessionDate: '2025-09-08',
    sessionTime: '14:00',
    moduleName: 'Case Management',
    duration: '2 hours',
  });
  const item = await buildContentItem(db, {
    trainingActivityId: monday.id,
    title: 'Slides',
    filePath: file.path,
    dueDate: '2025-09-10',
  });
  await buildAssignment(db, { contentItemId: item.id, title: 'Report', dueDate: '2025-09-12', maxPoints: 40 });
  await buildAssignment(db, { contentItemId: item.id, title: 'Given up', archivedAt: new Date() });
  await buildContentItem(db, { trainingActivityId: monday.id, title: 'Given up too', archivedAt: new Date() });
  await buildActivity(db, { cohortId: cohort.id, title: 'Thursday session', weekNumber: 2, sessionDate: '2025-09-18' });
  await buildActivity(db, { cohortId: cohort.id, title: 'Without a day', weekNumber: 3 });
  await buildWeeklyRequirement(db, { cohortId: cohort.id, title: 'Quiz', weekNumber: 2, dueDate: '2025-09-19' });
  const person = await buildParticipant(db);
  await enrol(db, { cohortId: cohort.id, participantId: person.id });
  return { cohort, file, monday };
}

const preview = (id: string, query: { startDate: string; only?: 'holidays'; cursor?: string }) =>
  admin.call(previewProgrammeDates, { params: { id }, query });

const programmeOf = (cohortId: string) =>
  server.db
    .selectFrom('trainingActivities as activity')
    .leftJoin('contentItems as item', 'item.trainingActivityId', 'activity.id')
    .leftJoin('contentAssignments as assignment', 'assignment.contentItemId', 'item.id')
    .select(['activity.id', 'activity.title', 'activity.sessionDate', 'item.title as item', 'item.dueDate as itemDue'])
    .select(['item.filePath', 'assignment.title as assignment', 'assignment.dueDate', 'assignment.maxPoints'])
    .where('activity.cohortId', '=', cohortId)
    .orderBy('activity.createdAt')
    .execute();

test('the preview shows where every date comes to lie: same week, same weekday, with its holidays', async () => {
  const { cohort } = await buildSource();
  const found = await preview(cohort.id, { startDate: '2026-08-31' });
  expect(found).toMatchObject({
    oldStartDate: '2025-09-08',
    dates: 5,
    onHolidays: 0,
    holds: { activities: 3, contents: 1, assignments: 1, requirements: 1 },
    nextCursor: null,
  });
  expect(found.rows.map(({ kind, title, oldDay, newDay }) => [kind, title, oldDay, newDay])).toEqual([
    ['activity', 'Monday session', '2025-09-08', '2026-08-31'],
    ['content', 'Slides', '2025-09-10', '2026-09-02'],
    ['assignment', 'Report', '2025-09-12', '2026-09-04'],
    ['activity', 'Thursday session', '2025-09-18', '2026-09-10'],
    ['requirement', 'Quiz', '2025-09-19', '2026-09-11'],
  ]);
  expect(found.rows[0]).toMatchObject({ sessionTime: '14:00', holiday: null });
  expect(found.holidayWeeks).toContainEqual({ week: 2, holidays: ['Labor Day'] });
  expect(found.holidayWeeks).toContainEqual({ week: 13, holidays: ['Thanksgiving'] });

  const onLaborDay = await preview(cohort.id, { startDate: '2026-09-07' });
  expect(onLaborDay).toMatchObject({ onHolidays: 1, dates: 5 });
  const only = await preview(cohort.id, { startDate: '2026-09-07', only: 'holidays' });
  expect(only.rows).toMatchObject([{ title: 'Monday session', newDay: '2026-09-07', holiday: 'Labor Day' }]);
  expect(only.dates).toBe(5);
});

test('with a start on another weekday every date keeps its weekday and its week', async () => {
  const { cohort } = await buildSource();
  for (const startDate of ['2026-09-09', '2026-09-12', '2024-02-29', '2026-09-13']) {
    const { rows } = await preview(cohort.id, { startDate });
    expect(rows).toHaveLength(5);
    for (const { oldDay, newDay, weekNumber } of rows) {
      expect(weekday(newDay)).toBe(weekday(oldDay));
      const firstDay = addDays(startDate, 7 * ((weekNumber ?? 1) - 1));
      expect(newDay >= firstDay && newDay <= addDays(firstDay, 6), `${newDay} for ${startDate}`).toBe(true);
    }
  }
});

test('a copy holds activities, contents, assignments and requirements on their new days, and no people', async () => {
  const { cohort, file } = await buildSource();
  const body = { id: newId(), sourceCohortId: cohort.id, name: 'Next autumn', startDate: '2026-08-31', capacity: 12 };
  const before = await programmeOf(cohort.id);
  const copy = await admin.call(copyProgramme, { body });
  expect(copy).toMatchObject({ name: 'Next autumn', activities: 3 });
  expect(await admin.call(readCohort, { params: { id: copy.cohortId } })).toMatchObject({
    name: 'Next autumn',
    startDate: '2026-08-31',
    endDate: addDays('2026-08-31', 16 * 7 - 3),
    status: 'planning',
    capacity: 12,
    currentEnrollment: 0,
    curriculumVersion: '7',
    // Weeks that were unlocked by hand belong to the source alone.
    unlockedWeeks: 5,
    description: 'As it was',
    holds: { activities: 3, contents: 1, assignments: 1, requirements: 1, members: 0 },
    copy: { id: body.id, sourceName: cohort.name, staysBecause: null },
  });
  const copied = await programmeOf(copy.cohortId);
  expect(copied.map(({ id: _, ...row }) => row)).toEqual([
    {
      title: 'Monday session',
      sessionDate: '2026-08-31',
      item: 'Slides',
      itemDue: '2026-09-02',
      filePath: file.path,
      assignment: 'Report',
      dueDate: '2026-09-04',
      maxPoints: 40,
    },
    expect.objectContaining({ title: 'Thursday session', sessionDate: '2026-09-10' }),
    expect.objectContaining({ title: 'Without a day', sessionDate: null }),
  ]);
  expect(copied.map(({ id }) => id)).not.toContain(before[0]?.id);
  expect(await programmeOf(cohort.id)).toEqual(before);
  const [entry] = await server.db.selectFrom('auditLog').selectAll().where('subjectId', '=', copy.cohortId).execute();
  expect(entry).toMatchObject({ action: 'programme.copy', actorId: ada.id, after: { activities: 3, requirements: 1 } });
});

test('asking twice with one id, also at once, makes one copy; another request with that id is refused', async () => {
  const { cohort } = await buildSource();
  const body = { id: newId(), sourceCohortId: cohort.id, name: 'Once only', startDate: '2026-08-31', capacity: 5 };
  const [first, second] = await Promise.all([admin.call(copyProgramme, { body }), admin.call(copyProgramme, { body })]);
  expect(second).toEqual(first);
  expect(await admin.call(copyProgramme, { body })).toEqual(first);
  expect((await admin.call(listCohorts, { query: { search: 'Once only' } })).rows).toHaveLength(1);
  const taken = await admin.refused(copyProgramme, { body: { ...body, id: newId() } });
  expect(taken.problem).toMatchObject({ code: 'duplicate', errors: [{ path: 'name' }] });
  const other = await server.as(await buildAdmin(server.db));
  expect((await other.refused(copyProgramme, { body })).problem.code).toBe('conflict');
  const unknown = { ...body, id: newId(), sourceCohortId: newId(), name: 'Of nothing' };
  expect((await admin.refused(copyProgramme, { body: unknown })).status).toBe(404);
});

test('a copy is undone with what was changed in it; files of the source stay', async () => {
  const { cohort, file } = await buildSource();
  const { db } = server;
  const body = { id: newId(), sourceCohortId: cohort.id, name: 'By mistake', startDate: '2026-08-31', capacity: 5 };
  const copy = await admin.call(copyProgramme, { body });
  const [copied] = await programmeOf(copy.cohortId);
  const ownFile = await buildStoredFile(db, { ownerId: ada.id, area: 'content' });
  await buildContentItem(db, { trainingActivityId: copied?.id ?? '', filePath: ownFile.path });

  await admin.call(undoProgrammeCopy, { params: { id: body.id } });
  expect((await admin.refused(readCohort, { params: { id: copy.cohortId } })).status).toBe(404);
  expect(await programmeOf(copy.cohortId)).toEqual([]);
  const files = await db.selectFrom('storedFiles').select('path').where('area', '=', 'content').execute();
  expect(files.map(({ path }) => path)).toContain(file.path);
  expect(files.map(({ path }) => path)).not.toContain(ownFile.path);
  expect((await programmeOf(cohort.id))[0]?.filePath).toBe(file.path);
  expect((await admin.refused(undoProgrammeCopy, { params: { id: body.id } })).status).toBe(404);
  expect((await admin.refused(copyProgramme, { body })).problem.code).toBe('conflict');
});

test('a copy stays, and says why, while it holds people, their work, or activities that it did not make', async () => {
  const { cohort } = await buildSource();
  const { db } = server;
  const body = { id: newId(), sourceCohortId: cohort.id, name: 'In use', startDate: '2026-08-31', capacity: 5 };
  const { cohortId } = await admin.call(copyProgramme, { body });
  const staysBecause = async (words: string) => {
    const refusal = await admin.refused(undoProgrammeCopy, { params: { id: body.id } });
    expect(refusal.problem).toMatchObject({ code: 'conflict', detail: expect.stringContaining(words) });
    const { copy } = await admin.call(readCohort, { params: { id: cohortId } });
    expect(copy?.staysBecause).toBe(refusal.problem.detail);
  };
  const person = await buildParticipant(db);
  await enrol(db, { cohortId, participantId: person.id });
  await staysBecause('1 person is or was enrolled in In use');
  await db.deleteFrom('cohortParticipants').where('cohortId', '=', cohortId).execute();
  const facts = { fellowId: person.id, cohortId, weekNumber: 1 };
  await db
    .insertInto('performanceFeedback')
    .values({ ...facts, overallRating: 4, ratedBy: ada.id })
    .execute();
  await staysBecause('records of attendance or pay in In use');
  await db.deleteFrom('performanceFeedback').execute();

  const moved = await buildActivity(db);
  await attend(db, person.id, [{ ...moved, cohortId: cohort.id }]);
  await db.updateTable('trainingActivities').set({ cohortId }).where('id', '=', moved.id).execute();
  await staysBecause('1 activity was added to In use');
  await db.updateTable('trainingActivities').set({ cohortId: cohort.id }).where('id', '=', moved.id).execute();

  const [, copied] = await programmeOf(cohortId);
  const item = await buildContentItem(db, { trainingActivityId: copied?.id ?? '' });
  await db.insertInto('contentTicks').values({ userId: person.id, contentItemId: item.id }).execute();
  await staysBecause('1 activity of In use holds work of people');
  await db.deleteFrom('contentTicks').execute();

  const gone = copied?.id ?? '';
  await db.updateTable('trainingActivities').set({ cohortId: null }).where('id', '=', gone).execute();
  await admin.call(undoProgrammeCopy, { params: { id: body.id } });
  const left = await db.selectFrom('trainingActivities').select('id').where('id', 'in', [gone, moved.id]).execute();
  expect(left).toHaveLength(2);
});

test('of two copies with one name at once, one is made and the other refused', async () => {
  const { cohort } = await buildSource();
  const facts = { sourceCohortId: cohort.id, name: 'Wanted twice', startDate: '2026-08-31', capacity: 5 };
  const copies = await Promise.all(
    [newId(), newId()].map((id) =>
      admin.fetch('/api/programme-copies', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...facts, id }),
      }),
    ),
  );
  expect(copies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test('every table that refers to a cohort is asked before its copy is undone', async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid = 'cohorts'::regclass`.execute(server.db);
  const programme = [
    'cohort_participants',
    'participant_progress',
    'programme_copies',
    'training_activities',
    'weekly_requirements',
  ];
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...cohortFactTables, ...programme].toSorted());
});

test('300 activities are copied in few statements across both changes of the clocks, and 2 PM stays 2 PM', async () => {
  const { db } = server;
  const cohort = await buildCohort(db, { startDate: '2025-09-08' });
  await sql`
    with added as (
      insert into training_activities (cohort_id, title, week_number, session_date, session_time, applicable_fellowship,
        created_at)
      select ${cohort.id}::uuid, 'Session ' || n, 1 + n / 20, date '2025-09-08' + 7 * (n / 20) + n % 5, '14:00', true,
        now() + n * interval '1 second'
      from generate_series(0, 299) n returning id
    ), items as (
      insert into content_items (training_activity_id, title) select id, 'Reading' from added returning id
    )
    insert into content_assignments (content_item_id, title, instructions, due_date)
    select id, 'Work', 'Write.', date '2025-11-02' from items`.execute(db);
  const body = { id: newId(), sourceCohortId: cohort.id, name: 'Spring', startDate: '2026-01-12', capacity: 30 };
  const statements = await countStatements(server.app.pool, () => admin.call(copyProgramme, { body }));
  expect(statements).toBeLessThanOrEqual(10);
  const { rows } = await admin.call(listCohorts, { query: { search: 'Spring' } });
  const [copied] = rows;
  expect(copied).toMatchObject({ activityCount: 300 });
  const sessions = await db
    .selectFrom('trainingActivities')
    .select(['id', 'title', 'weekNumber', 'sessionDate', 'sessionTime'])
    .where('cohortId', '=', copied?.id ?? '')
    .orderBy('createdAt')
    .execute();
  expect(sessions).toHaveLength(300);
  for (const [index, { title, weekNumber, sessionDate, sessionTime }] of sessions.entries()) {
    const week = Math.floor(index / 20);
    expect([title, weekNumber, sessionDate]).toEqual([
      `Session ${index}`,
      week + 1,
      addDays('2026-01-12', 7 * week + (index % 5)),
    ]);
    expect(sessionTime).toBe('14:00:00');
  }
  // These lie before and after the clocks went forward on 8 March 2026.
  for (const [index, start] of [
    [119, '2026-02-20T14:00:00-05:00'],
    [160, '2026-03-09T14:00:00-04:00'],
  ] as const) {
    const { id, sessionDate } = sessions[index] ?? { id: '', sessionDate: '' };
    expect(start.startsWith(String(sessionDate))).toBe(true);
    const { rows: at } = await sql<{ at: Date }>`
      select (session_date + session_time) at time zone 'America/New_York' as at
      from training_activities where id = ${id}`.execute(db);
    expect(at[0]?.at).toEqual(new Date(start));
    expect(await admin.call(readActivity, { params: { id } })).toMatchObject({ sessionDate, sessionTime: '14:00' });
  }
  const first = await preview(cohort.id, { startDate: '2026-01-12' });
  const all = [...first.rows];
  for (let cursor = first.nextCursor; cursor; ) {
    const page = await preview(cohort.id, { startDate: '2026-01-12', cursor });
    all.push(...page.rows);
    cursor = page.nextCursor;
  }
  expect(new Set(all.map(({ id }) => id)).size).toBe(600);
  expect(all).toHaveLength(600);
});

test('every column of the programme is copied, moved, new or of the source alone', async () => {
  const others = {
    cohorts:
      'id name start_date end_date capacity current_enrollment status created_at version unlocked_weeks asked_off_by asked_off_at',
    training_activities:
      'id cohort_id session_date created_at calendar_sequence updated_at copy_id programme_id reaches applicable_fellowship applicable_amp applicable_fellowship_adjunct applicable_ambassador',
    content_items: 'id training_activity_id due_date content_url content_text created_at archived_at version',
    content_assignments: 'id content_item_id due_date archived_at created_at calendar_sequence updated_at version',
    weekly_requirements: 'id cohort_id due_date calendar_sequence updated_at',
  };
  for (const table of Object.keys(others) as (keyof typeof others)[]) {
    const { rows } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = ${table}`.execute(server.db);
    const known = [...copiedColumns[table], ...others[table].split(' ')];
    expect(rows.map(({ name }) => name).toSorted(), table).toEqual(known.toSorted());
  }
});

test('a cohort gets another start with all its dates, or without them; a stale or impossible one is refused', async () => {
  const { cohort, monday } = await buildSource();
  const params = { id: cohort.id };
  const move = (body: { startDate: string; movesDates: boolean; version: number }) => ({ params, body });
  const moved = await admin.call(moveCohort, move({ startDate: '2025-09-15', movesDates: true, version: 1 }));
  expect(moved).toMatchObject({ startDate: '2025-09-15', endDate: addDays(cohort.endDate, 7), version: 2 });
  const dates = (await programmeOf(cohort.id)).map(({ sessionDate }) => sessionDate);
  expect(dates).toEqual(expect.arrayContaining(['2025-09-15', '2025-09-25', null]));
  const requirement = await server.db
    .selectFrom('weeklyRequirements')
    .select('dueDate')
    .where('cohortId', '=', cohort.id)
    .executeTakeFirstOrThrow();
  expect(requirement.dueDate).toBe('2025-09-26');
  const calendar = await server.db
    .selectFrom('trainingActivities')
    .select('calendarSequence')
    .where('id', '=', monday.id)
    .executeTakeFirstOrThrow();
  expect(calendar.calendarSequence).toBe(1);

  const kept = await admin.call(moveCohort, move({ startDate: '2025-09-01', movesDates: false, version: 2 }));
  expect(kept).toMatchObject({ startDate: '2025-09-01', endDate: moved.endDate, version: 3 });
  expect((await programmeOf(cohort.id)).map(({ sessionDate }) => sessionDate)).toEqual(dates);
  const stale = await admin.refused(moveCohort, move({ startDate: '2025-09-08', movesDates: true, version: 2 }));
  expect(stale.problem.code).toBe('stale');
  const late = await admin.refused(moveCohort, move({ startDate: '2026-09-01', movesDates: false, version: 3 }));
  expect(late.problem).toMatchObject({ code: 'invalid_input', errors: [{ path: 'startDate' }] });
});

test('only admins preview, move, copy and undo', async () => {
  const { cohort } = await buildSource();
  const body = { id: newId(), sourceCohortId: cohort.id, name: 'Not mine', startDate: '2026-08-31', capacity: 5 };
  const move = { startDate: '2026-08-31', movesDates: true, version: 1 };
  for (const person of [await buildParticipant(server.db), await buildCoach(server.db)]) {
    const client = await server.as(person);
    const params = { id: cohort.id };
    const refusals = [
      await client.refused(previewProgrammeDates, { params, query: { startDate: '2026-08-31' } }),
      await client.refused(moveCohort, { params, body: move }),
      await client.refused(copyProgramme, { body }),
      await client.refused(undoProgrammeCopy, { params }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  }
});
