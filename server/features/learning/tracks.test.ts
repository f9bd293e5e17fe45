import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockTrack, readFellowship, readTrack, selectTrack } from '#contract/fellowship.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildModule, buildTrack } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { attend } from '#test/factories/stipends.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';

let app: TestApp;
let versions = 0;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** A member of a cohort with its own curriculum. Some core modules are complete. */
async function member({ core = 2, completed = core }: { core?: number; completed?: number } = {}) {
  versions += 1;
  const cohort = await buildCohort(app.db, { curriculumVersion: `tracks ${versions}` });
  const participant = await buildParticipant(app.db);
  await enrol(app.db, { cohortId: cohort.id, participantId: participant.id });
  const modules = [];
  for (let number = 1; number <= core; number += 1) {
    modules.push(await buildModule(app.db, { curriculumVersion: cohort.curriculumVersion, orderIndex: number }));
  }
  for (const { id } of modules.slice(0, completed)) await complete({ participant, cohort }, id);
  return { cohort, participant, modules, client: await app.as(participant) };
}

type Member = Pick<Awaited<ReturnType<typeof member>>, 'participant' | 'cohort'>;

async function complete({ participant, cohort }: Member, moduleId: string) {
  const setBy = (await buildCoach(app.db)).id;
  await app.db
    .insertInto('participantModuleCompletions')
    .values({ participantId: participant.id, cohortId: cohort.id, moduleId, setBy, note: 'Certified before' })
    .execute();
}

function choicesOf({ participant }: Member) {
  return app.db.selectFrom('trackSelections').selectAll().where('participantId', '=', participant.id).execute();
}

function auditOf(selectionId: string) {
  return app.db
    .selectFrom('auditLog')
    .select(['action', 'actorId', 'before', 'after'])
    .where('subjectId', '=', selectionId)
    .orderBy('id')
    .execute();
}

const body = (trackId: string, notes: string | null = null) => ({ body: { trackId, notes } });

test.each([
  { core: 3, completed: 2, counted: '(2/3 completed)' },
  { core: 2, completed: 0, counted: '(0/2 completed)' },
  { core: 0, completed: 0, counted: '(0/0 completed)' },
])(
  'TRACK-02 TRACK-03 TRACK-11 TRACK-12 with $completed of $core core modules the server refuses and stores nothing',
  async ({ core, completed, counted }) => {
    const person = await member({ core, completed });
    const track = await buildTrack(app.db);
    // Neither a module of the track nor a core module of another curriculum counts.
    const others = [
      await buildModule(app.db, { curriculumVersion: 'elsewhere', title: `Core ${track.id}` }),
      await buildModule(app.db, {
        curriculumVersion: person.cohort.curriculumVersion,
        moduleType: 'specialization',
        specializationTrackId: track.id,
      }),
    ];
    for (const { id } of others) await complete(person, id);
    const { status, problem } = await person.client.refused(selectTrack, body(track.id));
    expect([status, problem.detail]).toEqual([
      409,
      `Cannot select specialization. Complete all core modules first. ${counted}`,
    ]);
    expect(await choicesOf(person)).toEqual([]);
    expect(await person.client.call(readFellowship)).toMatchObject({
      selection: null,
      coreModules: { completed, total: core },
      can: { selectTrack: false, lockTrack: false },
    });
  },
);

test('TRACK-02 TRACK-11 a completion in another cohort is none in this one', async () => {
  const person = await member({ core: 1, completed: 0 });
  const earlier = await buildCohort(app.db, {
    startDate: '2024-09-09',
    curriculumVersion: person.cohort.curriculumVersion,
  });
  await enrol(app.db, { cohortId: earlier.id, participantId: person.participant.id });
  await complete({ ...person, cohort: earlier }, person.modules[0]?.id ?? '');
  const { problem } = await person.client.refused(selectTrack, body((await buildTrack(app.db)).id));
  expect(problem.detail).toContain('(0/1 completed)');
});

test('TRACK-01 TRACK-07 TRACK-08 TRACK-09 a track is chosen, changed, locked, and then stays for ever', async () => {
  const person = await member();
  const { client, participant, cohort } = person;
  const first = await buildTrack(app.db, { name: 'Grid Modeling', description: 'Load flow.', durationWeeks: 6 });
  const second = await buildTrack(app.db);
  expect((await client.call(readFellowship)).can).toEqual({ selectTrack: true, lockTrack: false });

  const restoreFirst = stopClockAt('2025-10-06T14:00:00Z');
  const chosen = await client.call(selectTrack, body(first.id, 'I worked in a control room.')).finally(restoreFirst);
  expect(chosen).toEqual({
    id: chosen.id,
    trackId: first.id,
    track: { id: first.id, name: 'Grid Modeling', description: 'Load flow.', durationWeeks: 6 },
    notes: 'I worked in a control room.',
    selectedAt: '2025-10-06T14:00:00.000Z',
    isLocked: false,
    lockedAt: null,
  });
  expect(await choicesOf(person)).toMatchObject([
    {
      participantId: participant.id,
      cohortId: cohort.id,
      specializationTrackId: first.id,
      notes: 'I worked in a control room.',
      isLocked: false,
    },
  ]);
  expect(await client.call(readFellowship)).toMatchObject({ selection: chosen, can: { lockTrack: true } });

  const restoreSecond = stopClockAt('2025-10-07T14:00:00Z');
  const changed = await client.call(selectTrack, body(second.id)).finally(restoreSecond);
  expect(changed).toMatchObject({
    id: chosen.id,
    trackId: second.id,
    notes: null,
    selectedAt: '2025-10-07T14:00:00.000Z',
  });
  expect(await choicesOf(person)).toMatchObject([{ id: chosen.id, specializationTrackId: second.id }]);

  const lock = { params: { id: changed.id }, body: { trackId: second.id } };
  const restoreLock = stopClockAt('2025-10-08T14:00:00Z');
  const locked = await client.call(lockTrack, lock).finally(restoreLock);
  expect(locked).toEqual({ ...changed, isLocked: true, lockedAt: '2025-10-08T14:00:00.000Z' });
  expect(await client.call(lockTrack, lock)).toEqual(locked);

  for (const trackId of [first.id, second.id]) {
    const { status, problem } = await client.refused(selectTrack, body(trackId));
    expect([status, problem.detail]).toEqual([409, 'Your specialization track is locked and cannot be changed.']);
  }
  expect(await choicesOf(person)).toMatchObject([{ specializationTrackId: second.id, isLocked: true }]);
  expect(await client.call(readFellowship)).toMatchObject({
    selection: locked,
    can: { selectTrack: false, lockTrack: false },
  });
  const unlock = app.db
    .updateTable('trackSelections')
    .set({ isLocked: false, lockedAt: null })
    .where('id', '=', changed.id);
  await expect(unlock.execute()).rejects.toThrow('a locked track selection is immutable');
  expect((await auditOf(chosen.id)).map(({ action, actorId }) => [action, actorId])).toEqual([
    ['track.select', participant.id],
    ['track.select', participant.id],
    ['track.lock', participant.id],
  ]);
});

test('TRACK-10 an admin locks for a participant; a coach, another participant and nobody cannot', async () => {
  const person = await member();
  const track = await buildTrack(app.db);
  const { id } = await person.client.call(selectTrack, body(track.id));
  const lock = { params: { id }, body: { trackId: track.id } };
  const stranger = await member();
  expect(await stranger.client.refused(lockTrack, lock)).toMatchObject({ status: 404 });
  expect(await (await app.as(await buildCoach(app.db))).refused(lockTrack, lock)).toMatchObject({ status: 403 });
  expect(await (await app.as(null)).refused(lockTrack, lock)).toMatchObject({ status: 401 });
  expect(await choicesOf(person)).toMatchObject([{ isLocked: false, lockedAt: null }]);
  const admin = await app.as(await buildAdmin(app.db));
  expect(await admin.call(lockTrack, lock)).toMatchObject({ id, isLocked: true });
  expect(await choicesOf(person)).toMatchObject([{ isLocked: true, lockedAt: expect.any(Date) }]);
});

test('TRACK-02 a module that has just become complete counts, though nothing derived it yet', async () => {
  const person = await member({ core: 1, completed: 0 });
  const track = await buildTrack(app.db);
  const activity = await buildActivity(app.db, {
    cohortId: person.cohort.id,
    moduleName: person.modules[0]?.title ?? '',
  });
  expect((await person.client.refused(selectTrack, body(track.id))).status).toBe(409);
  await attend(app.db, person.participant.id, [activity]);
  expect(await person.client.call(selectTrack, body(track.id))).toMatchObject({ trackId: track.id });
});

test('a choice that changed since it was seen is not locked', async () => {
  const person = await member();
  const [seen, newer] = [await buildTrack(app.db), await buildTrack(app.db)];
  const { id } = await person.client.call(selectTrack, body(seen.id));
  await person.client.call(selectTrack, body(newer.id));
  const { problem } = await person.client.refused(lockTrack, { params: { id }, body: { trackId: seen.id } });
  expect(problem.code).toBe('stale');
  expect(await choicesOf(person)).toMatchObject([{ isLocked: false, specializationTrackId: newer.id }]);
});

test('TRACK-07 TRACK-09 many choices at once make one row; of a lock and a change at once one is refused', async () => {
  const person = await member();
  const tracks = await Promise.all(Array.from({ length: 6 }, () => buildTrack(app.db)));
  const made = await Promise.all(tracks.map(({ id }) => person.client.call(selectTrack, body(id))));
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  const [choice] = await choicesOf(person);
  if (!choice) throw new Error('Nothing was chosen.');
  const other = tracks.find(({ id }) => id !== choice.specializationTrackId)?.id ?? '';
  const lock = { params: { id: choice.id }, body: { trackId: choice.specializationTrackId } };
  const outcomes = await Promise.allSettled([
    person.client.call(lockTrack, lock),
    person.client.call(selectTrack, body(other)),
  ]);
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
  expect(refused).toHaveLength(1);
  expect(refused[0]).toMatch(/is locked and cannot be changed|Another track has just been chosen/);
  const [locked, changed] = outcomes;
  const wanted =
    locked?.status === 'fulfilled'
      ? { isLocked: true, specializationTrackId: choice.specializationTrackId }
      : { isLocked: false, specializationTrackId: other };
  expect(changed?.status).toBe(locked?.status === 'fulfilled' ? 'rejected' : 'fulfilled');
  expect(await choicesOf(person)).toMatchObject([wanted]);
});

test('TRACK-05 an inactive track is neither listed nor chosen, and listed tracks stand by name', async () => {
  const { client } = await member();
  const inactive = await buildTrack(app.db, { name: 'Zero Emission', isActive: false });
  await buildTrack(app.db, { name: 'Zebra Metering', description: 'Meters.', durationWeeks: 3 });
  await buildTrack(app.db, { name: 'Aerial Lines', description: 'Lines.', durationWeeks: 5 });
  const { tracks } = await client.call(readFellowship);
  const names = tracks.map(({ name }) => name);
  expect(names).toEqual(names.toSorted());
  expect(tracks.at(0)).toMatchObject({ name: 'Aerial Lines', description: 'Lines.', durationWeeks: 5 });
  expect(tracks.at(-1)).toMatchObject({ name: 'Zebra Metering', description: 'Meters.', durationWeeks: 3 });
  expect(names).not.toContain('Zero Emission');
  const refused = await client.refused(selectTrack, body(inactive.id));
  expect([refused.status, refused.problem.detail]).toEqual([404, 'This track is not on offer.']);
  expect((await client.refused(readTrack, { params: { id: inactive.id } })).status).toBe(404);
});

test('TRACK-06 a track is read with its modules in the own curriculum; a chosen one even when it is no longer on offer', async () => {
  const { client, cohort } = await member();
  const track = await buildTrack(app.db, { name: 'Relay Testing', description: 'Test sets.', durationWeeks: 4 });
  const ofTrack = { moduleType: 'specialization', specializationTrackId: track.id };
  const version = { curriculumVersion: cohort.curriculumVersion };
  const later = await buildModule(app.db, { ...ofTrack, ...version, orderIndex: 2 });
  const earlier = await buildModule(app.db, { ...ofTrack, ...version, orderIndex: 1 });
  await buildModule(app.db, { ...ofTrack, curriculumVersion: 'of others' });
  const expected = {
    id: track.id,
    name: 'Relay Testing',
    description: 'Test sets.',
    durationWeeks: 4,
    modules: [
      { id: earlier.id, title: earlier.title },
      { id: later.id, title: later.title },
    ],
  };
  expect(await client.call(readTrack, { params: { id: track.id } })).toEqual(expected);
  await client.call(selectTrack, body(track.id));
  await app.db.updateTable('specializationTracks').set({ isActive: false }).where('id', '=', track.id).execute();
  expect(await client.call(readTrack, { params: { id: track.id } })).toEqual(expected);
  expect((await client.call(readFellowship)).selection?.track.name).toBe('Relay Testing');
});

test('only participants with an active cohort choose; a track that never was is not found', async () => {
  const track = await buildTrack(app.db);
  const alone = await app.as(await buildParticipant(app.db));
  const { problem } = await alone.refused(selectTrack, body(track.id));
  expect(problem.detail).toBe('You have no active cohort, so no track can be chosen.');
  for (const person of [await buildCoach(app.db), await buildAdmin(app.db)]) {
    expect((await (await app.as(person)).refused(selectTrack, body(track.id))).status).toBe(403);
  }
  const { client, cohort } = await member();
  expect((await client.refused(selectTrack, body(cohort.id))).status).toBe(404);
});
