import { afterAll, beforeAll, expect, test } from 'vitest';
import { setSecondApprover } from '#contract/stipend-cohorts.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort } from '#test/factories/cohorts.ts';
import type { BuiltPerson } from '#test/factories/people.ts';
import type { Client, TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';
import { startAppOfTwo } from '#test/support/two-admins.ts';

let app: TestApp;
let ada: BuiltPerson;
let bea: BuiltPerson;
let asAda: Client;
let asBea: Client;

beforeAll(async () => {
  ({ app, ada, bea, asAda, asBea } = await startAppOfTwo());
});
afterAll(() => app.close());

const needed = { isNeeded: true };
const notNeeded = { isNeeded: false };
const agreed = { isNeeded: false, confirms: true };

function standingOf(id: string) {
  const columns = ['needsSecondApprover', 'askedOffBy', 'askedOffAt'] as const;
  return app.db.selectFrom('cohorts').select(columns).where('id', '=', id).executeTakeFirstOrThrow();
}

/** What the act put on record, and what each of the two admins is told by it, now and in the open browser. */
async function outcomeOf(cohortId: string, act: () => Promise<unknown>) {
  const told = () => app.db.selectFrom('noticeEvents').select('eventKey').execute();
  const before = (await told()).map(({ eventKey }) => eventKey);
  const lines = () =>
    app.db
      .selectFrom('auditLog')
      .select(['action', 'actorId', 'subjectType', 'before', 'after'])
      .where('subjectId', '=', cohortId)
      .orderBy('at')
      .orderBy('id')
      .execute();
  const earlier = (await lines()).length;
  const seen = await toldBy(app, act);
  const events = await app.db
    .selectFrom('noticeEvents')
    .select(['userId', 'kind', 'category', 'facts'])
    .where('eventKey', 'not in', [...before, ''])
    .execute();
  return { events, trail: (await lines()).slice(earlier), facts: [seen(ada), seen(bea)] };
}

const notice = (to: BuiltPerson, title: string, message: string) => ({
  userId: to.id,
  kind: 'second_approver',
  category: 'stipend_updates',
  facts: { title, message, link: '/admin/stipend-management' },
});

const line = (action: string, by: BuiltPerson, from: boolean, to: boolean) => ({
  action: `cohort.${action}`,
  actorId: by.id,
  subjectType: 'cohort',
  before: { needsSecondApprover: from },
  after: { needsSecondApprover: to },
});

test('each step between one and two approvers is on record, and the other admins are told of it', async () => {
  const { id, name } = await buildCohort(app.db);
  const params = { id };
  const on = await outcomeOf(id, async () => {
    expect(await asAda.call(setSecondApprover, { params, body: needed })).toEqual({ isNeeded: true, askedOff: null });
  });
  expect(on.trail).toEqual([line('set_second_approver', ada, false, true)]);
  expect(on.events).toEqual([
    notice(bea, `${name} now needs two approvers`, 'Ada Admin changed this in Stipend Management.'),
  ]);
  expect(on.facts).toEqual([['cohorts'], expect.arrayContaining(['cohorts', 'notices'])]);
  expect(await standingOf(id)).toEqual({ needsSecondApprover: true, askedOffBy: null, askedOffAt: null });

  const ask = () => asAda.call(setSecondApprover, { params, body: notNeeded });
  const asked = await outcomeOf(id, async () => {
    expect(await ask()).toEqual({
      isNeeded: true,
      askedOff: { byName: 'Ada Admin', at: expect.stringMatching(/Z$/), isOwn: true, can: { agree: false } },
    });
  });
  expect(asked.trail).toEqual([line('ask_one_approver', ada, true, true)]);
  expect(asked.events).toEqual([
    notice(
      bea,
      'Ada Admin asks for only one approver',
      `For the stipends of ${name}. It takes effect when another admin agrees in Stipend Management.`,
    ),
  ]);
  expect(await standingOf(id)).toEqual({
    needsSecondApprover: true,
    askedOffBy: ada.id,
    askedOffAt: expect.any(Date),
  });

  const kept = await outcomeOf(id, () => asBea.call(setSecondApprover, { params, body: needed }));
  expect(kept.trail).toEqual([line('keep_second_approver', bea, true, true)]);
  expect(kept.events).toEqual([
    notice(ada, `${name} keeps needing two approvers`, 'Bea Board changed this in Stipend Management.'),
  ]);
  expect(await standingOf(id)).toEqual({ needsSecondApprover: true, askedOffBy: null, askedOffAt: null });

  await ask();
  const off = await outcomeOf(id, () => asBea.call(setSecondApprover, { params, body: agreed }));
  expect(off.trail).toEqual([line('set_second_approver', bea, true, false)]);
  expect(off.events).toEqual([
    notice(ada, `${name} now needs only one approver`, 'Bea Board changed this in Stipend Management.'),
  ]);
  expect(await standingOf(id)).toEqual({ needsSecondApprover: false, askedOffBy: null, askedOffAt: null });
});

test('what is so already stays so, and is neither put on record nor told', async () => {
  const [one, two] = [await buildCohort(app.db), await buildCohort(app.db, { needsSecondApprover: true })];
  const nothing = { events: [], trail: [], facts: [[], []] };
  const still = (id: string, isNeeded: boolean, body: { isNeeded: boolean; confirms?: boolean }) =>
    outcomeOf(id, async () => {
      expect(await asAda.call(setSecondApprover, { params: { id }, body })).toEqual({ isNeeded, askedOff: null });
    });
  expect(await still(one.id, false, notNeeded)).toEqual(nothing);
  expect(await still(one.id, false, agreed)).toEqual(nothing);
  expect(await still(two.id, true, needed)).toEqual(nothing);
});

test('a question stands until another admin answers it, and each is told in words how it stands', async () => {
  const { id } = await buildCohort(app.db, { needsSecondApprover: true });
  const params = { id };
  const refusal = async (client: Client, body: { isNeeded: boolean; confirms?: boolean }) => {
    const { problem } = await client.refused(setSecondApprover, { params, body });
    return [problem.code, problem.detail];
  };
  expect(await refusal(asBea, agreed)).toEqual(['stale', 'Nobody is asking for this now. Please look again.']);
  const first = await asAda.call(setSecondApprover, { params, body: notNeeded });
  const nothing = { events: [], trail: [], facts: [[], []] };
  for (const body of [notNeeded, agreed]) {
    const again = async () => expect(await asAda.call(setSecondApprover, { params, body })).toEqual(first);
    expect(await outcomeOf(id, again)).toEqual(nothing);
  }
  expect(await refusal(asBea, notNeeded)).toEqual([
    'stale',
    'Ada Admin has asked for this already. You can agree to it.',
  ]);
});

test('a cohort that is not there has no approvers, and an only admin cannot ask for a second one', async () => {
  expect(await asAda.refused(setSecondApprover, { params: { id: newId() }, body: needed })).toMatchObject({
    status: 404,
    problem: { detail: 'This cohort was not found.' },
  });
  const { id } = await buildCohort(app.db);
  const others = app.db.updateTable('profiles').where('id', '=', bea.id);
  await others.set({ role: 'coach' }).execute();
  expect((await asAda.refused(setSecondApprover, { params: { id }, body: needed })).problem).toMatchObject({
    code: 'conflict',
    detail: 'You are the only admin: nobody else could approve these stipends.',
  });
  await others.set({ role: 'admin' }).execute();
  expect(await standingOf(id)).toMatchObject({ needsSecondApprover: false });
});
