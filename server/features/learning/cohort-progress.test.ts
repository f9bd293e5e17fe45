import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  listCohortProgress,
  listProgressCohorts,
  readMemberProgress,
  setModuleCompletion,
} from '#contract/cohort-progress.ts';
import { readFellowship } from '#contract/fellowship.ts';
import { assignCoach, buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildModule, buildTrack } from '#test/factories/curriculum.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { toldBy } from '#test/support/live-news.ts';
import { countStatements } from '#test/support/statements.ts';

let app: TestApp;
let versions = 0;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

async function cohortOfItsOwn(facts: object = {}) {
  versions += 1;
  return buildCohort(app.db, { curriculumVersion: `progress ${versions}`, ...facts });
}

async function memberOf(cohort: { id: string }, percentage: number | null, facts: object = {}) {
  const participant = await buildParticipant(app.db, facts);
  const membership = { participantId: participant.id, cohortId: cohort.id };
  await enrol(app.db, membership);
  if (percentage !== null) {
    await app.db
      .insertInto('participantProgress')
      .values({
        ...membership,
        overallCompletionPercentage: percentage,
        status: percentage < 10 ? 'at_risk' : 'behind',
      })
      .execute();
  }
  return participant;
}

const namesOf = ({ rows }: { rows: { firstName: string }[] }) => rows.map(({ firstName }) => firstName);

test('TRACK-15 an admin reads every member with name, email and progress, the furthest first', async () => {
  const cohort = await cohortOfItsOwn();
  const other = await cohortOfItsOwn();
  await memberOf(other, 99);
  await memberOf(cohort, 12.5, { firstName: 'Behind' });
  const newcomer = await memberOf(cohort, null, { firstName: 'Newcomer' });
  const first = await memberOf(cohort, 24, { firstName: 'First', lastName: 'Farley', email: 'farley@people.example' });
  const left = await memberOf(cohort, 80, { firstName: 'Left' });
  await app.db
    .updateTable('cohortParticipants')
    .set({ status: 'withdrawn' })
    .where('participantId', '=', left.id)
    .execute();
  const track = await buildTrack(app.db, { name: 'Meter Reading' });
  await app.db
    .insertInto('trackSelections')
    .values({ participantId: first.id, cohortId: cohort.id, specializationTrackId: track.id })
    .execute();
  const admin = await app.as(await buildAdmin(app.db));
  const restore = stopClockAt('2025-10-06T14:00:00Z');
  const page = await admin.call(listCohortProgress, { params: { id: cohort.id }, query: {} }).finally(restore);
  expect(page).toMatchObject({ matching: 3, nextCursor: null });
  expect(namesOf(page)).toEqual(['First', 'Behind', 'Newcomer']);
  expect(page.rows[0]).toEqual({
    participantId: first.id,
    firstName: 'First',
    lastName: 'Farley',
    email: 'farley@people.example',
    overallPercentage: 24,
    status: 'behind',
    daysAheadBehind: Math.round(1.1 * 24) - 28,
    totalModules: 0,
    completedModules: 0,
    coreModulesCompleted: 0,
    lastActivityDate: null,
    trackName: 'Meter Reading',
    isTrackLocked: false,
  });
  expect(page.rows[2]).toMatchObject({
    participantId: newcomer.id,
    overallPercentage: 0,
    status: 'on_track',
    daysAheadBehind: null,
  });
});

test('TRACK-15 a coach reads the progress of own participants only, and participants read none of it', async () => {
  const coach = await buildCoach(app.db);
  const cohort = await cohortOfItsOwn();
  const foreign = await cohortOfItsOwn();
  const own = await memberOf(cohort, 5, { firstName: 'Own' });
  const stranger = await memberOf(cohort, 50, { firstName: 'Stranger' });
  await memberOf(foreign, 50);
  await assignCoach(app.db, { participantId: own.id, coachId: coach.id });
  const asCoach = await app.as(coach);
  expect(namesOf(await asCoach.call(listCohortProgress, { params: { id: cohort.id }, query: {} }))).toEqual(['Own']);
  expect((await asCoach.call(listProgressCohorts)).cohorts.map(({ id }) => id)).toEqual([cohort.id]);
  const refusal = await asCoach.refused(listCohortProgress, { params: { id: foreign.id }, query: {} });
  expect([refusal.status, refusal.problem.detail]).toEqual([404, 'Cohort not found']);
  const member = (participantId: string) => ({ params: { id: cohort.id, participantId } });
  expect(await asCoach.call(readMemberProgress, member(own.id))).toMatchObject({ firstName: 'Own' });
  expect((await asCoach.refused(readMemberProgress, member(stranger.id))).status).toBe(404);
  expect(
    (await asCoach.refused(readMemberProgress, { params: { id: foreign.id, participantId: own.id } })).status,
  ).toBe(404);
  const asParticipant = await app.as(own);
  expect((await asParticipant.refused(listCohortProgress, { params: { id: cohort.id }, query: {} })).status).toBe(403);
  expect((await asParticipant.refused(readMemberProgress, member(own.id))).status).toBe(403);
});

test('pages follow by key, without a gap and without a repeat, in two statements beside the session', async () => {
  const cohort = await cohortOfItsOwn();
  const expected: string[] = [];
  for (let number = 0; number < 107; number += 1) {
    // Three people share each percentage. Two of them share their names too.
    const percentage = 9 - Math.floor(number / 12);
    expected.push(
      (await memberOf(cohort, percentage, { firstName: `N${Math.floor(number / 2)}`, lastName: 'Same' })).id,
    );
  }
  const admin = await app.as(await buildAdmin(app.db));
  const seen: { overallPercentage: number; firstName: string; participantId: string }[] = [];
  let cursor: string | undefined;
  const sizes: number[] = [];
  do {
    const page = await admin.call(listCohortProgress, { params: { id: cohort.id }, query: { cursor } });
    expect(page.matching).toBe(107);
    sizes.push(page.rows.length);
    seen.push(...page.rows);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(sizes).toEqual([50, 50, 7]);
  expect(seen.map(({ participantId }) => participantId).toSorted()).toEqual(expected.toSorted());
  const keys = seen.map(({ overallPercentage, firstName }) => [100 - overallPercentage, firstName] as const);
  for (const [index, [percentage, name]] of keys.entries()) {
    const [before, nameBefore] = keys[index - 1] ?? [0, ''];
    expect(before < percentage || (before === percentage && nameBefore <= name)).toBe(true);
  }
  const read = () => admin.call(listCohortProgress, { params: { id: cohort.id }, query: {} });
  expect(await countStatements(app.app.pool, read)).toBe(3);
  const invented = await admin.refused(listCohortProgress, {
    params: { id: cohort.id },
    query: { cursor: 'invented' },
  });
  expect(invented.status).toBe(422);
});

test('the list is searched by name and email and narrowed by status; % means itself', async () => {
  const cohort = await cohortOfItsOwn();
  await memberOf(cohort, 5, { firstName: 'Łukasz', lastName: "O'Neil", email: 'lukasz@people.example' });
  await memberOf(cohort, 15, { firstName: 'Ana', lastName: 'Silva' });
  await memberOf(cohort, null, { firstName: 'Bo', lastName: '100%' });
  const admin = await app.as(await buildAdmin(app.db));
  const found = async (query: { search?: string; status?: 'at_risk' | 'on_track' | 'behind' }) =>
    namesOf(await admin.call(listCohortProgress, { params: { id: cohort.id }, query }));
  expect(await found({ search: "łukasz o'n" })).toEqual(['Łukasz']);
  expect(await found({ search: 'LUKASZ@people' })).toEqual(['Łukasz']);
  expect(await found({ search: '%' })).toEqual(['Bo']);
  expect(await found({ status: 'at_risk' })).toEqual(['Łukasz']);
  expect(await found({ status: 'on_track' })).toEqual(['Bo']);
  expect(await found({ status: 'behind', search: 'bo' })).toEqual([]);
});

async function withModule() {
  const cohort = await cohortOfItsOwn();
  const coach = await buildCoach(app.db, { firstName: 'Casey', lastName: 'Cole' });
  const participant = await memberOf(cohort, null);
  await assignCoach(app.db, { participantId: participant.id, coachId: coach.id });
  const module = await buildModule(app.db, { curriculumVersion: cohort.curriculumVersion });
  const activity = await buildActivity(app.db, { cohortId: cohort.id, moduleName: module.title });
  const params = { id: cohort.id, participantId: participant.id, moduleId: module.id };
  const set = async (person: BuiltPerson, isCompleted: boolean, note = 'Certified before') =>
    (await app.as(person)).call(setModuleCompletion, { params, body: { isCompleted, note } });
  return { cohort, coach, participant, module, activity, params, set };
}

test('TRACK-16 TRACK-13 a coach sets a module of an own participant as complete, with a note, and takes it back', async () => {
  const { cohort, coach, participant, module, set } = await withModule();
  const restore = stopClockAt('2025-10-06T14:00:00Z');
  expect(await set(coach, true).finally(restore)).toEqual({
    isCompleted: true,
    completedAt: '2025-10-06T14:00:00.000Z',
  });
  expect(await app.db.selectFrom('participantModuleCompletions').selectAll().execute()).toMatchObject([
    {
      participantId: participant.id,
      cohortId: cohort.id,
      moduleId: module.id,
      setBy: coach.id,
      note: 'Certified before',
    },
  ]);
  const client = await app.as(participant);
  expect(await client.call(readFellowship)).toMatchObject({
    coreModules: { completed: 1, total: 1 },
    progress: { overallPercentage: 100, status: 'ahead' },
    modules: [{ isCompleted: true, byHand: { name: 'Casey Cole', note: 'Certified before' } }],
    can: { selectTrack: true },
  });
  expect(await set(coach, false, 'Another person')).toEqual({ isCompleted: false, completedAt: null });
  expect(await client.call(readFellowship)).toMatchObject({
    coreModules: { completed: 0, total: 1 },
    progress: { overallPercentage: 0 },
  });
  const entries = await app.db
    .selectFrom('auditLog')
    .select(['action', 'actorId', 'reason', 'after'])
    .where('subjectId', '=', participant.id)
    .orderBy('id')
    .execute();
  const after = { moduleId: module.id, cohortId: cohort.id };
  expect(entries).toEqual([
    { action: 'module.complete', actorId: coach.id, reason: 'Certified before', after },
    { action: 'module.take_back', actorId: coach.id, reason: 'Another person', after },
  ]);
});

test('open browsers of the participant and of the coach read again what a module set by hand changes', async () => {
  const { coach, participant, set } = await withModule();
  const bystander = await buildCoach(app.db);
  const told = await toldBy(app, () => set(coach, true));
  expect(told(participant)).toEqual(['progress']);
  expect(told(coach)).toEqual(['progress']);
  expect(told(bystander)).toEqual([]);
});

test('what follows from attendance stays complete when the setting by hand is taken back', async () => {
  const { cohort, coach, participant, activity, params, set } = await withModule();
  await set(coach, true);
  await app.db
    .insertInto('attendanceRecords')
    .values({
      fellowId: participant.id,
      cohortId: cohort.id,
      contentId: activity.id,
      weekNumber: 1,
      accessedAt: '2025-10-01T15:00:00Z',
    })
    .execute();
  expect(await set(coach, false)).toEqual({ isCompleted: true, completedAt: '2025-10-01T15:00:00.000Z' });
  const { status, problem } = await (await app.as(coach)).refused(setModuleCompletion, {
    params,
    body: { isCompleted: false, note: 'Once more' },
  });
  expect([status, problem.code]).toEqual([409, 'conflict']);
});

test('a module is set by nobody but an own coach and admins, with a note, and only one of the own curriculum', async () => {
  const { coach, params, participant, set } = await withModule();
  const body = { isCompleted: true, note: 'Seen' };
  const refusedFor = async (person: BuiltPerson, changes: object = {}, given: object = {}) =>
    (
      await (
        await app.as(person)
      ).refused(setModuleCompletion, {
        params: { ...params, ...changes },
        body: { ...body, ...given },
      })
    ).status;
  expect(await refusedFor(await buildCoach(app.db))).toBe(404);
  expect(await refusedFor(participant)).toBe(403);
  expect(await refusedFor(coach, {}, { note: '   ' })).toBe(422);
  const foreignModule = await buildModule(app.db, { curriculumVersion: 'of others' });
  expect(await refusedFor(coach, { moduleId: foreignModule.id })).toBe(404);
  expect(await refusedFor(coach, { id: (await cohortOfItsOwn()).id })).toBe(404);
  expect(await set(await buildAdmin(app.db), true)).toMatchObject({ isCompleted: true });
});
