import type { Insertable } from 'kysely';
import { handOverWeek, previewHandover } from '#contract/payments.ts';
import { changeStipendAmount } from '#contract/stipends.ts';
import type { Db } from '#server/db/database.ts';
import type { StipendEligibilityTable } from '#server/db/schema.gen.ts';
import { buildCohort, enrol } from '../factories/cohorts.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '../factories/people.ts';
import { buildStipend } from '../factories/stipends.ts';
import type { TestApp } from './app.ts';
import type { MakeCall, StaffCall } from './made-call.ts';
import { figuresOf } from './stipend-figures.ts';

/** A payment system's address where nobody listens, so that every batch stays open. */
export const deafPaymentSystem = {
  STIPEND_WEBHOOK_URL: 'http://127.0.0.1:2',
  STIPEND_WEBHOOK_SECRET: 'a secret of the payment system',
  STIPEND_WEBHOOK_ALLOW_PRIVATE: '1',
};

/** Acts of admins on a stipend or a week of them, and of coaches or admins on a participant's question. */
export const moneyCalls: Record<string, MakeCall> = {
  approveStipend: onStipend({}),
  denyStipend: onStipend({ reason: 'Left' }),
  approveStipends: onStipends({}),
  denyStipends: onStipends({ reason: 'Left' }),
  changeStipendAmount: onStipend({ amountCents: 60_000, reason: 'Travel' }),
  approveStipendAmount: async (server) => {
    const cohort = await buildCohort(server.db, { needsSecondApprover: true });
    const { id, version } = await approvedStipend(server.db, { cohortId: cohort.id });
    const other = await server.as(await buildAdmin(server.db));
    const input = { params: { id }, body: { version, amountCents: 40_000 } };
    const changed = await other.call(changeStipendAmount, input);
    return { params: { id }, body: { version: changed.version } };
  },
  approveWeek: async (server, admin) => {
    const { cohortId, weekNumber } = await buildStipend(server.db);
    const { pending } = await figuresOf(await server.as(admin), { week: weekNumber, cohort: cohortId });
    return { body: { cohortId, weekNumber, seen: pending } };
  },
  handOverWeek: async (server, admin) => {
    const { cohortId, weekNumber } = await approvedStipend(server.db);
    const query = { week: weekNumber, cohort: cohortId };
    const { toSend } = await (await server.as(admin)).call(previewHandover, { query });
    return { body: { cohortId, weekNumber, again: false, seen: toSend } };
  },
  recallHandover: async (server, admin) => {
    const { cohortId, weekNumber } = await approvedStipend(server.db);
    const sent = await (await server.as(admin)).call(handOverWeek, { body: { cohortId, weekNumber } });
    return { params: { id: sent.handoverId ?? '' }, body: { reason: 'Nobody has it' } };
  },
  renewStipendPayee: async ({ db }) => {
    const { id, fellowId } = await approvedStipend(db);
    const renamed = db
      .updateTable('profiles')
      .set({ email: `${fellowId}@renamed.example` })
      .where('id', '=', fellowId);
    await renamed.execute();
    const row = db.selectFrom('stipendEligibility').select('version').where('id', '=', id);
    return { params: { id }, body: await row.executeTakeFirstOrThrow() };
  },
  rateWeek: async ({ db }) => {
    const { coach, participant } = await coachedMember(db);
    return { as: coach, params: { participantId: participant.id, weekNumber: 1 }, body: { rating: 4, comment: null } };
  },
  answerStipendQuestion: async ({ db }) => ({
    params: { id: (await askedQuestion(db)).id },
    body: { closes: false, answer: 'It counts from Monday on.' },
  }),
};

export async function askedQuestion(db: Db) {
  const { cohort, participant } = await coachedMember(db);
  const { id } = await db
    .insertInto('stipendQuestions')
    .values({ participantId: participant.id, cohortId: cohort.id, weekNumber: 1, question: 'Why?', facts: [] })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, participant };
}

export function approvedStipend(db: Db, facts: Partial<Insertable<StipendEligibilityTable>> = {}) {
  return buildStipend(db, { paymentStatus: 'approved', ...facts });
}

async function coachedMember(
  db: Db,
): Promise<{ cohort: { id: string }; participant: BuiltPerson; coach: BuiltPerson }> {
  const [cohort, participant, coach] = [await buildCohort(db), await buildParticipant(db), await buildCoach(db)];
  await enrol(db, { cohortId: cohort.id, participantId: participant.id, coachId: coach.id });
  return { cohort, participant, coach };
}

function onStipend(body: StaffCall['body']): (server: TestApp) => Promise<StaffCall> {
  return async ({ db }) => {
    const { id, version } = await buildStipend(db);
    return { params: { id }, body: { ...body, version } };
  };
}

function onStipends(body: StaffCall['body']): (server: TestApp) => Promise<StaffCall> {
  return async ({ db }) => {
    const { id, version } = await buildStipend(db);
    return { body: { ...body, rows: [{ id, version }] } };
  };
}
