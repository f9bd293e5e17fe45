import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { deriveProgress } from '#server/features/learning/progress-derivation.ts';
import { verifyLedger } from '#server/features/payments/ledger.ts';
import { deriveWeek } from '#server/features/stipends/week-derivation.ts';
import { judgeAtRisk } from '#server/features/stipends/week-risk-queries.ts';
import { standingAt } from '#server/platform/clock.ts';
import { findStanding, findUnsound } from '#test/support/money-standing.ts';
import type { Scene } from './scene.ts';

/** What must be so after each day, when all jobs have ended. Returns a sentence for each that is not. */
export async function findBroken(scene: Scene): Promise<string[]> {
  const { db, pool, kept } = scene;
  const { problems } = await verifyLedger(db);
  return [
    ...problems.map((problem) => `The ledger: ${problem}`),
    ...(await findStanding(db, null)).flatMap(findUnsound),
    ...(await kept.findLost(pool)),
    ...(await findInSql(scene)),
    ...(await findStaleDerivations(scene)),
    ...(await findStaleOutlooks(scene)),
    ...doubledMails(scene),
  ];
}

/** Each statement finds what is wrong, with words for it. */
const wrongs: Record<string, string> = {
  'Two sessions overlap': `
    select one.id || ' and ' || other.id as what from coaching_sessions one
    join coaching_sessions other on other.id > one.id
      and (other.coach_id = one.coach_id or other.participant_id = one.participant_id)
      and session_period(one.scheduled_at, one.duration_minutes) && session_period(other.scheduled_at, other.duration_minutes)
    where one.status = 'scheduled' and other.status = 'scheduled'`,
  'A message was sent twice': `select message as what from coach_messages group by message having count(*) > 1`,
  'Two accounts have one address': `select email::text as what from profiles group by email having count(*) > 1`,
  'A notice tells of what never happened': `
    select event.event_key as what from notice_events event
    where event.subject_id is not null and (
      event.kind = 'coaching_session' and not exists (select from coaching_sessions where id = event.subject_id)
      or event.kind = 'message' and not exists (select from coach_messages where id = event.subject_id))`,
  'A notice was told in two ways': `
    select event_id::text || ' by ' || channel as what from deliveries where event_id is not null
    group by event_id, channel, address having count(*) > 1`,
  'A tally is wrong': `
    select what || ' ' || part || ' ' || hour || ': ' || sum(change) as what from (
      select what, part, hour, change from tallies union all select what, part, hour, -change from counted_anew) compared
    group by compared.what, part, hour having sum(change) <> 0`,
  'A round is reviewed, and its submission waits': `
    select submission.id::text as what from content_submissions submission
    join submission_rounds round on round.submission_id = submission.id and round.round_number = submission.round_number
    where submission.status = 'submitted' and round.review_status is not null`,
};

async function findInSql({ pool, at }: Scene): Promise<string[]> {
  const found: string[] = [];
  for (const [what, statement] of Object.entries(wrongs)) {
    const { rows } = await pool.query<{ what: string }>(statement);
    found.push(...rows.map((row) => `${what}: ${row.what}`));
  }
  const late = await pool.query<{ what: string }>(
    `select event_key as what from notice_events where decided_at is null and due_at <= $1`,
    [at],
  );
  const given = await pool.query<{ what: string }>(
    `select name || ': ' || coalesce(output::text, '') as what from pgboss.job where state = 'failed'`,
  );
  found.push(...late.rows.map(({ what }) => `A notice that is due was not decided: ${what}`));
  found.push(...given.rows.map(({ what }) => `A job was given up: ${what}`));
  return found;
}

class RolledBack extends Error {}

/** Derives everything anew, compares, and leaves it as it was. */
async function findStaleDerivations({ db, world }: Scene): Promise<string[]> {
  const found: string[] = [];
  await db
    .transaction()
    .execute(async (transaction) => {
      const progressBefore = await progressOf(transaction);
      for (const { id } of world.cohorts) {
        const { rows } = await sql<{ weekNumber: number }>`
          select distinct week_number from stipend_eligibility where cohort_id = ${id} order by 1`.execute(transaction);
        for (const { weekNumber } of rows) {
          const changed = await deriveWeek(transaction, { cohortIds: [id], weekNumber });
          if (changed > 0)
            found.push(`Week ${weekNumber} of ${id}: ${changed} rows differ when they are derived anew.`);
        }
        const people = world.members.filter(({ cohort }) => cohort.id === id).map((person) => person.id);
        await deriveProgress(transaction, people, id);
      }
      const progressAfter = await progressOf(transaction);
      for (const [key, value] of Object.entries(progressBefore)) {
        if (progressAfter[key] !== value)
          found.push(`The progress of ${key} is ${value}. Derived anew, it is ${progressAfter[key]}.`);
      }
      throw new RolledBack();
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
  return found;
}

/** Judges everybody anew, each as of the day of their outlook. */
async function findStaleOutlooks({ db }: Scene): Promise<string[]> {
  const { rows } = await sql<{ holdsFrom: Date; people: string[]; atRisk: string[] }>`
    select holds_from, array_agg(person_id) as people,
      coalesce(array_agg(person_id) filter (where is_at_risk), '{}') as at_risk
    from stipend_outlooks group by 1`.execute(db);
  const found: string[] = [];
  for (const { holdsFrom, people, atRisk } of rows) {
    const judged = new Set(await standingAt(holdsFrom, () => judgeAtRisk(db, people)));
    for (const id of people) {
      if (judged.has(id) !== atRisk.includes(id)) found.push(`The outlook of ${id} is not what the week says.`);
    }
  }
  return found;
}

async function progressOf(db: Db): Promise<Record<string, string>> {
  const { rows } = await sql<{ key: string; value: string }>`
    select participant_id || ' in ' || cohort_id as key,
      concat_ws(' ', completed_modules, overall_completion_percentage, status, last_activity_date) as value
    from participant_progress order by 1`.execute(db);
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
}

function doubledMails({ mails }: Scene): string[] {
  const ids = mails.received.map(({ mail }) => mail.messageId ?? '');
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))].map((id) => `A mail arrived twice: ${id}`);
}
