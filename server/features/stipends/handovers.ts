import { sql } from 'kysely';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { handOverWeek as handOverWeekEndpoint } from '#contract/stipends.ts';
import type { Db } from '#server/db/database.ts';
import { coachNameOf } from '#server/features/coaching/coaching-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs.ts';
import type { App } from '#server/platform/serve.ts';
import { sendHandoverQueue } from './handover-queue.ts';
import { tryHandover } from './handover-tries.ts';

type Reply = ReplyOf<typeof handOverWeekEndpoint>;

const firstRetryAfterInMs = 60_000;

/**
 * Hands a week's approved stipends over to the payment system. A batch that is still open is tried again under its
 * own id before a new one is made; the first try is made here, later ones by the job. Opens its own transactions.
 */
export async function handOverWeek(
  app: App,
  actor: Actor,
  week: { weekNumber: number; again: boolean },
): Promise<Reply> {
  const prepared = await app.db.transaction().execute((db) => prepareHandovers(db, actor, week));
  if (prepared.length === 0) return { handoverId: null, status: 'nothing_to_send', recipients: 0, error: null };
  for (const handover of prepared) {
    const error = await tryHandover(app, handover.id);
    if (error) return { handoverId: handover.id, status: 'failed', recipients: handover.recipients, error };
  }
  const recipients = prepared.reduce((sum, handover) => sum + handover.recipients, 0);
  return { handoverId: prepared.at(-1)?.id ?? null, status: 'sent', recipients, error: null };
}

/** The open batch of the week, if there is one, and a new one for approved rows that were never handed over. */
async function prepareHandovers(db: Db, actor: Actor, { weekNumber, again }: { weekNumber: number; again: boolean }) {
  await sql`select pg_advisory_xact_lock(hashtext('stipend hand-over'), ${weekNumber})`.execute(db);
  const open = await db
    .selectFrom('stipendHandovers')
    .select(['id', 'recipients', 'status'])
    .where('weekNumber', '=', weekNumber)
    .where('status', '<>', 'sent')
    .orderBy('createdAt')
    .execute();
  for (const { id, status } of open) if (status === 'given_up') await enqueueRetries(db, id);
  // A batch that is still open is what is to be repeated: pressing again makes no second one.
  if (again && open.length > 0) return open;
  const rows = await rowsToHandOver(db, weekNumber, again);
  return rows.length === 0 ? open : [...open, await createHandover(db, actor, { weekNumber, rows, isFirst: !again })];
}

/** HOOK-03 to HOOK-06. With `again`: exactly the rows that the receiver accepted before. */
async function rowsToHandOver(db: Db, weekNumber: number, again: boolean) {
  const found = await sql<HandoverRow>`
    select stipends.id, fellow.first_name || ' ' || fellow.last_name as participant_name, fellow.email as participant_email,
      coalesce(${coachNameOf(db, sql.ref('stipends.fellowId'))}, 'No coach assigned') as coach_assigned,
      coalesce(cohorts.name, 'Unknown cohort') as cohort_assigned,
      stipends.stipend_amount_cents as amount_cents, stipends.approved_at
    from stipend_eligibility stipends
    join profiles fellow on fellow.id = stipends.fellow_id
    left join cohorts on cohorts.id = stipends.cohort_id
    where stipends.week_number = ${weekNumber} and stipends.payment_status = 'approved'
      and ${again} = exists (select 1 from stipend_handover_rows handed
        join stipend_handovers handovers on handovers.id = handed.handover_id
        where handed.stipend_id = stipends.id and (not ${again} or handovers.status = 'sent'))
    order by participant_name, stipends.id
    for update of stipends`.execute(db);
  return found.rows;
}

interface HandoverRow {
  id: string;
  participantName: string;
  participantEmail: string;
  coachAssigned: string;
  cohortAssigned: string;
  amountCents: number;
  approvedAt: Date;
}

interface NewHandover {
  weekNumber: number;
  rows: HandoverRow[];
  isFirst: boolean;
}

async function createHandover(db: Db, actor: Actor, { weekNumber, rows, isFirst }: NewHandover) {
  const id = newId();
  const totalCents = rows.reduce((sum, row) => sum + row.amountCents, 0);
  const body = JSON.stringify(documentedBody(weekNumber, rows, totalCents));
  await db
    .insertInto('stipendHandovers')
    .values({ id, weekNumber, body, recipients: rows.length, totalCents, createdBy: actor.id })
    .execute();
  await sql`
    insert into stipend_handover_rows (handover_id, stipend_id, amount_cents, is_first)
    select ${id}, stipend_id, amount_cents, ${isFirst}
    from unnest(${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.amountCents)}::integer[]) as given (stipend_id, amount_cents)`.execute(
    db,
  );
  await audit(
    db,
    actor.id,
    rows.map((row) => ({
      action: isFirst ? 'stipend.hand_over' : 'stipend.hand_over_again',
      subjectType: 'stipend',
      subjectId: row.id,
      before: { paymentStatus: 'approved', amountCents: row.amountCents },
      after: { paymentStatus: 'approved', amountCents: row.amountCents, handoverId: id },
    })),
  );
  await enqueueRetries(db, id);
  return { id, recipients: rows.length };
}

/** Should this process die before a try is recorded, the job finds the batch. */
function enqueueRetries(db: Db, handoverId: string): Promise<void> {
  return enqueue(db, sendHandoverQueue, { handoverId }, { startAfter: new Date(Date.now() + firstRetryAfterInMs) });
}

/** HOOK-02, HOOK-03: exactly these fields, amounts in dollars. */
function documentedBody(weekNumber: number, rows: HandoverRow[], totalCents: number) {
  return {
    week_number: weekNumber,
    approved_stipends: rows.map((row) => ({
      participant_name: row.participantName,
      participant_email: row.participantEmail,
      coach_assigned: row.coachAssigned,
      cohort_assigned: row.cohortAssigned,
      stipend_amount: row.amountCents / 100,
      approved_at: row.approvedAt.toISOString(),
    })),
    total_amount: totalCents / 100,
    total_recipients: rows.length,
  };
}
