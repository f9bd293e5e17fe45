import { createAdminUser } from '#contract/documented-functions.ts';
import { handOverWeek, markStipendPaid, recallHandover, takePaymentBack } from '#contract/payments.ts';
import { writePersonNote } from '#contract/person-notes.ts';
import {
  approveStipend,
  approveStipendAmount,
  approveWeek,
  changeStipendAmount,
  denyStipend,
  listStipends,
  processStipends,
} from '#contract/stipends.ts';
import { newId } from '#server/platform/ids.ts';
import type { Act } from './learning-acts.ts';
import type { Step } from './plan.ts';
import { itemAt } from './random.ts';
import { admin, cohort, member, reader, type Scene, writer } from './scene.ts';
import type { Cohort } from './world.ts';

/** The periods of a cohort that have begun, the latest last. */
function periodsOf({ world, today }: Scene, { periodDays, periods }: Cohort): number[] {
  const days = (Date.parse(today) - Date.parse(world.firstDay)) / 86_400_000;
  const begun = Math.min(periods, Math.floor(days / periodDays) + 1);
  return Array.from({ length: begun }, (_, index) => index + 1);
}

/** Mostly the period before the present one. */
function weekToPay(scene: Scene, step: Step): { weekNumber: number; cohortId: string } | null {
  const meant = cohort(scene, step);
  const weekNumber = itemAt(periodsOf(scene, meant).slice(-3, -1), step.what);
  return weekNumber === undefined ? null : { weekNumber, cohortId: meant.id };
}

/** An admin who is another one when the same is done twice. */
function decider(scene: Scene, step: Step) {
  return admin(scene, { ...step, who: step.process === 0 ? step.how : 1 - step.how - Number.EPSILON });
}

interface Stipend {
  id: string;
  version: number;
}

async function stipendIn(scene: Scene, step: Step, condition: string): Promise<Stipend | undefined> {
  const { rows } = await scene.pool.query<Stipend>(
    `select id, version from stipend_eligibility where ${condition} order by week_number desc, id limit 20`,
  );
  return itemAt(rows, step.what);
}

export const processWeek: Act = async (scene, step) => {
  const meant = cohort(scene, step);
  for (const weekNumber of periodsOf(scene, meant).slice(-2)) {
    await writer(scene, step)(decider(scene, step), processStipends, { body: { weekNumber, cohortId: meant.id } });
  }
};

export const approve: Act = async (scene, step) => {
  const stipend = await stipendIn(scene, step, `payment_status = 'pending' and overall_eligible`);
  if (!stipend) return;
  const input = { params: { id: stipend.id }, body: { version: stipend.version } };
  const answer = await writer(scene, step)(decider(scene, step), approveStipend, input);
  if (answer.is === 'taken') scene.kept.add('decision', stipend.id);
};

export const deny: Act = async (scene, step) => {
  const stipend = await stipendIn(scene, step, `payment_status = 'pending' and overall_eligible`);
  if (!stipend) return;
  const input = {
    params: { id: stipend.id },
    body: { version: stipend.version, reason: 'The hours were not worked.' },
  };
  const answer = await writer(scene, step)(decider(scene, step), denyStipend, input);
  if (answer.is === 'taken') scene.kept.add('decision', stipend.id);
};

export const approveAll: Act = async (scene, step) => {
  const week = weekToPay(scene, step);
  if (!week) return;
  const query = { week: week.weekNumber, cohort: week.cohortId };
  const list = await reader(scene, step)(decider(scene, step), listStipends, { query });
  if (list.is !== 'taken' || !list.body.summary || list.body.summary.pending.count === 0) return;
  const eligible = list.body.rows.filter(
    ({ paymentStatus, overallEligible }) => paymentStatus === 'pending' && overallEligible,
  );
  const body = { ...week, seen: list.body.summary.pending };
  const answer = await writer(scene, step)(decider(scene, step), approveWeek, { body });
  if (answer.is === 'taken' && answer.body.skipped === 0) for (const { id } of eligible) scene.kept.add('decision', id);
};

const amounts = [30_000, 45_000, 62_500, 0];

export const changeAmount: Act = async (scene, step) => {
  const stipend = await stipendIn(scene, step, `overall_eligible and payment_status <> 'denied'`);
  if (!stipend) return;
  const amountCents = itemAt(amounts, step.how) ?? 0;
  const body = { version: stipend.version, amountCents, reason: 'Counted anew' };
  const answer = await writer(scene, step)(decider(scene, step), changeStipendAmount, {
    params: { id: stipend.id },
    body,
  });
  if (answer.is === 'taken') scene.kept.add('amount', `${stipend.id} ${amountCents}`);
};

export const approveAmount: Act = async (scene, step) => {
  const stipend = await stipendIn(scene, step, `amount_set_by is not null and amount_approved_by is null`);
  if (!stipend) return;
  const input = { params: { id: stipend.id }, body: { version: stipend.version } };
  await writer(scene, step)(decider(scene, step), approveStipendAmount, input);
};

export const handOver: Act = async (scene, step) => {
  const week = weekToPay(scene, step);
  if (!week) return;
  const answer = await writer(scene, step)(decider(scene, step), handOverWeek, { body: week });
  if (answer.is === 'taken' && answer.body.handoverId) scene.kept.add('batch', answer.body.handoverId);
};

/** The payment system tells of a batch that it has, of the same one often, in any order. */
export const confirm: Act = async (scene, step) => {
  const batch = itemAt(scene.payer.batches(), step.what);
  if (!batch) return;
  const { url } = scene.processes[step.process];
  const told = await scene.payer.tell(url, batch, { isNewMessage: step.how < 0.3, at: scene.at }).catch(() => null);
  if (told?.isTaken) scene.kept.add('confirmation', told.messageId);
  if (told?.status === 500) scene.violations.push(`${scene.today}: a confirmation was answered 500.`);
};

export const recall: Act = async (scene, step) => {
  const { rows } = await scene.pool.query<{ id: string }>(
    `select id from stipend_handovers where status not in ('sent', 'recalled') order by id`,
  );
  const batch = itemAt(rows, step.what);
  if (!batch) return;
  const input = { params: { id: batch.id }, body: { reason: 'Nobody has it' } };
  await writer(scene, step)(decider(scene, step), recallHandover, input);
};

export const markPaid: Act = async (scene, step) => {
  const stipend = await stipendIn(scene, step, `payment_status = 'approved'`);
  if (!stipend) return;
  const reference = `Check ${newId()}`;
  const body = { version: stipend.version, reference };
  const answer = await writer(scene, step)(decider(scene, step), markStipendPaid, { params: { id: stipend.id }, body });
  if (answer.is === 'taken') scene.kept.add('payment', `${stipend.id} ${reference}`);
};

export const takeBack: Act = async (scene, step) => {
  const stipend = await stipendIn(scene, step, `payment_status = 'paid'`);
  if (!stipend) return;
  const input = { params: { id: stipend.id }, body: { version: stipend.version, reason: 'Another person' } };
  await writer(scene, step)(decider(scene, step), takePaymentBack, input);
};

export const note: Act = async (scene, step) => {
  const text = `A note of ${scene.today}: ${newId()}`;
  const input = { params: { id: member(scene, step).id }, body: { kind: 'staff' as const, text } };
  // Nobody writes a note again that may be there.
  const answer = await writer(scene, { ...step, fault: step.fault === 'cut' ? 'cutForGood' : step.fault })(
    decider(scene, step),
    writePersonNote,
    input,
  );
  if (answer.is === 'taken') scene.kept.add('note', text);
};

/** Done twice, two admins make an account for the same address. */
export const createAccount: Act = async (scene, step) => {
  const email = `admin-${step.who.toString().slice(2)}-${step.what.toString().slice(2)}@simulated.example`;
  const body = { email, password: `Long-${newId()}`, firstName: 'New', lastName: 'Admin' };
  const answer = await writer(scene, step)(decider(scene, step), createAdminUser, { body });
  if (answer.is === 'taken' && answer.body.success) scene.kept.add('account', email);
};
