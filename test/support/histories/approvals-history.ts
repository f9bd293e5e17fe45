import fc from 'fast-check';
import {
  approveStipend,
  approveStipendAmount,
  changeStipendAmount,
  denyStipend,
  readStipend,
} from '#contract/stipends.ts';
import { buildCohort } from '#test/factories/cohorts.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import type { TestApp } from '../app.ts';
import { openProcessSession } from '../server-process.ts';
import { type ApprovalsCall, approvalsModel, seen } from './approvals-model.ts';
import { type Asked, answerTo, at, clientCount, type HistorySize, one, runHistory, scheduleOf } from './clients.ts';
import type { TwoProcesses } from './two-processes.ts';

/** So many acts concern each of two stipends, before the clients turn to the next two. */
const actsForEach = 40;

const plans = fc.record({
  act: fc.constantFrom(
    ...(['see', 'see', 'see', 'approve', 'approve', 'approve', 'approve', 'set amount', 'set amount'] as const),
    ...(['set amount', 'approve amount', 'approve amount', 'approve amount', 'deny'] as const),
  ),
  cents: fc.constantFrom(9_000, 10_000, 11_000),
});
type Plan = typeof plans extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** What a reply shows of a stipend. */
interface Shown {
  paymentStatus: string;
  version: number;
  amountCents: number;
  firstApproval: { byName: string } | null;
  amountAwaitsApproval: boolean;
}

/** Eight admins look, approve, deny and change amounts. Two of three stipends need two of them. */
export async function approvalsHistory(server: TestApp, processes: TwoProcesses, size: HistorySize) {
  const schedule = scheduleOf(plans, size);
  const pairs = Math.ceil(size.acts / (2 * actsForEach));
  const stipends = await buildStipends(server, 2 * pairs);
  const admins = await Promise.all(Array.from({ length: clientCount }, (_, client) => buildNamedAdmin(server, client)));
  /** What anybody was told last of each stipend. Open pages are told of changes too. */
  const told = new Map<number, Shown>();
  const { version, stipendAmountCents } = at(stipends, 0);

  function ask({ act: plan, cents }: Plan, client: number, place: number): Asked<ApprovalsCall> {
    const index = 2 * Math.floor((place * pairs) / at(schedule.clients, client).length) + (client % 2);
    const { cookie, name: admin } = at(admins, client);
    const params = { id: at(stipends, index).id };
    const body = { version: told.get(index)?.version ?? version };
    const act = pressed(plan, client, told.get(index));
    const who = { stipend: stipendName(index), admin, ...body };
    const note = noteFor(index);
    switch (act) {
      case 'see':
        return look(index, client);
      case 'approve':
        return one({ ...who, act }, cookie, (asker) => answerTo(asker.ask(approveStipend, { params, body }), note));
      case 'approve amount':
        return one({ ...who, act }, cookie, (asker) =>
          answerTo(asker.ask(approveStipendAmount, { params, body }), note),
        );
      case 'deny':
        return one({ ...who, act }, cookie, (asker) =>
          answerTo(asker.ask(denyStipend, { params, body: { ...body, reason: 'Not what was agreed.' } }), note),
        );
      default:
        return one({ ...who, act, cents }, cookie, (asker) =>
          answerTo(asker.ask(changeStipendAmount, { params, body: { ...body, amountCents: cents } }), note),
        );
    }
  }

  function look(index: number, client: number): Asked<ApprovalsCall> {
    const { cookie, name: admin } = at(admins, client);
    const params = { id: at(stipends, index).id };
    return one({ stipend: stipendName(index), admin, act: 'see' }, cookie, (asker) =>
      answerTo(asker.ask(readStipend, { params }), noteFor(index)),
    );
  }

  function noteFor(index: number) {
    return (reply: Shown) => {
      if (reply.version >= (told.get(index)?.version ?? 0)) told.set(index, reply);
      return shown(reply);
    };
  }

  const lastly = stipends.map((_, index) => look(index, 0));
  const model = approvalsModel({
    needsTwo: (name) => needsTwo(indexOf(name)),
    initial: { version, cents: stipendAmountCents },
  });
  return { model, acts: await runHistory(processes, schedule, { ask, lastly }) };
}

/** Whoever wants to approve presses what the page offers. Half of them change no amounts, so they may approve new ones. */
function pressed(plan: Plan['act'], client: number, shown: Shown | undefined): Plan['act'] {
  const mayChange = client < clientCount / 2;
  if (plan === 'set amount' && !mayChange) return shown?.amountAwaitsApproval ? 'approve amount' : 'see';
  return plan === 'approve' && shown?.amountAwaitsApproval ? 'approve amount' : plan;
}

async function buildStipends({ db }: TestApp, count: number) {
  const one = await buildCohort(db);
  const two = await buildCohort(db, { needsSecondApprover: true });
  const stipends: Awaited<ReturnType<typeof buildStipend>>[] = [];
  for (let index = 0; index < count; index += 1) {
    stipends.push(await buildStipend(db, { cohortId: (needsTwo(index) ? two : one).id }));
  }
  return stipends;
}

async function buildNamedAdmin(server: TestApp, client: number) {
  const admin = await buildAdmin(server.db, { firstName: 'Admin', lastName: String(client + 1) });
  return { name: `Admin ${client + 1}`, cookie: await openProcessSession(server, admin) };
}

function shown({ paymentStatus: status, version, amountCents: cents, firstApproval }: Shown): string {
  return seen({ status, version, cents, first: firstApproval?.byName ?? null });
}

const needsTwo = (index: number) => index % 3 !== 0;
const stipendName = (index: number) => `stipend ${index + 1}`;
const indexOf = (name: string) => Number(name.split(' ')[1]) - 1;
