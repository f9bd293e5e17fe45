import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { verifyLedger } from '#server/features/payments/ledger.ts';
import type { TestMailServer } from '#test/support/mail-server.ts';
import { type Ground, waitFor } from './ground.ts';

import type { Judged } from './verdict-of-things.ts';
import type { Kept } from './world.ts';

const jobsSettleInSeconds = 360;
const longestReason = 80;

/** Compares what was acknowledged with what the database has. */
export async function judgeWrites(db: Db, kept: Kept): Promise<Judged> {
  const notes = await db.selectFrom('personNotes').select('note').execute();
  const messages = await db.selectFrom('coachMessages').select('clientKey').execute();
  const paid = await db.selectFrom('standingPaymentParts').select('stipendId').execute();
  const approved = await db.selectFrom('stipendLedger').select('stipendId').where('kind', '=', 'approval').execute();
  const { problems, differences } = await verifyLedger(db);
  const compared = [
    compare(
      'notes',
      kept.notes,
      notes.map(({ note }) => note ?? ''),
    ),
    compare(
      'messages',
      kept.messages,
      messages.map(({ clientKey }) => clientKey ?? ''),
    ),
    compare(
      'approvals',
      kept.approved,
      approved.map(({ stipendId }) => stipendId ?? ''),
    ),
    compare(
      'payments',
      kept.paid,
      paid.map(({ stipendId }) => stipendId ?? ''),
    ),
  ];
  const lost = sum(compared, 'lost');
  const count = kept.notes.length + kept.messages.length + kept.approved.length + kept.paid.length;
  return {
    figures: [
      ['acknowledged writes', count],
      ['of them payments', kept.paid.length],
      ['reads', kept.reads],
      ['lost', lost],
      ['doubled', sum(compared, 'doubled')],
      ['requests without an answer, or refused', kept.failures.length],
      ...mostCommon(kept.failures.map(({ why }) => why)),
      ['longest time without an answer', `${(kept.longestSilence / 1000).toFixed(1)} s`],
    ],
    lost,
    faults: [
      ...compared.flatMap(({ faults }) => faults),
      ...(count === 0 ? ['No write was acknowledged.'] : []),
      ...problems.map((problem) => `The ledger: ${JSON.stringify(problem)}`),
      ...differences.map((difference) => `The ledger and the stipends differ: ${JSON.stringify(difference)}`),
    ],
  };
}

/** The three most common reasons. */
function mostCommon(reasons: string[]): [string, number][] {
  const counts = [...Map.groupBy(reasons, (why) => why)].map(([why, all]): [string, number] => [why, all.length]);
  return counts
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 3)
    .map(([why, count]) => [`  ${why.replaceAll(/\s+/g, ' ').slice(0, longestReason)}`, count]);
}

export interface Breaking {
  at: number;
  /** For so long, requests may fail. */
  lastsSeconds: number;
  /** For these reasons alone. The default is any. */
  why?: RegExp;
  /** A worker dies with the mails that it has on their way. */
  endsWorker?: boolean;
}

/** Requests that failed when nothing had been broken a moment before. */
export function judgeFailures(kept: Pick<Kept, 'failures'>, broken: Breaking[]): string[] {
  const isExplained = (failure: Kept['failures'][number]) =>
    broken.some(
      ({ at, lastsSeconds, why }) =>
        failure.at >= at && failure.at <= at + lastsSeconds * 1000 && (why?.test(failure.why) ?? true),
    );
  const unexplained = kept.failures.filter((failure) => !isExplained(failure));
  return unexplained.slice(0, 10).map(({ what, why }) => `A ${what} failed though nothing had been broken: ${why}`);
}

/** Waits until no mail waits any more. Then each was sent once, or was given up because its answer was lost. */
export async function judgeJobs(
  ground: Ground,
  db: Db,
  mails: TestMailServer,
  mostGivenUp: number,
): Promise<Judged & { count: number }> {
  const countOf = async (states: ('queued' | 'failed' | 'sent' | 'given_up')[]) => {
    const found = await db
      .selectFrom('deliveries')
      .select(sql<number>`count(*)`.as('count'))
      .where('status', 'in', states)
      .where('channel', '=', 'mail')
      .executeTakeFirstOrThrow();
    return found.count;
  };
  ground.say('Waiting until all jobs are done. A job of a killed worker is tried again after two minutes …');
  const startedAt = performance.now();
  await waitFor('every mail sent', async () => (await countOf(['queued', 'failed'])) === 0, jobsSettleInSeconds);
  const sent = await db
    .selectFrom('deliveries')
    .select('id')
    .where('status', '=', 'sent')
    .where('channel', '=', 'mail')
    .execute();
  const givenUp = await countOf(['given_up']);
  const withoutReason = await db
    .selectFrom('deliveries')
    .select('lastError')
    .where('status', '=', 'given_up')
    .where('channel', '=', 'mail')
    .where((row) => row.or([row('lastError', 'is', null), row('lastError', 'not like', 'It may have arrived%')]))
    .execute();
  const arrived = mails.received.map(({ mail }) => /<([^@]+)@/.exec(mail.messageId ?? '')?.[1] ?? '');
  const { lost, doubled, faults } = compare(
    'mails',
    sent.map(({ id }) => id),
    arrived,
  );
  if (givenUp > mostGivenUp) faults.push(`${givenUp} mails were given up, more than were on their way at the kills.`);
  for (const { lastError } of withoutReason.slice(0, 5))
    faults.push(`A mail was given up though it cannot have arrived: ${lastError}`);
  return {
    figures: [
      ['jobs with a mail, done', sent.length],
      ['of them lost', lost],
      ['of them doubled', doubled],
      ['mails whose answer was lost, given up and said so', givenUp],
      ['time until the last job was done', `${((performance.now() - startedAt) / 1000).toFixed(0)} s`],
    ],
    lost,
    count: sent.length,
    faults: [...faults, ...(sent.length === 0 ? ['No job ran.'] : [])],
  };
}

function compare(what: string, acknowledged: string[], found: string[]) {
  const counts = new Map<string, number>();
  for (const each of found) if (each) counts.set(each, (counts.get(each) ?? 0) + 1);
  const lost = acknowledged.filter((each) => !counts.has(each)).length;
  const doubled = [...counts.values()].filter((count) => count > 1).length;
  const faults = [
    ...(lost > 0 ? [`${lost} of ${acknowledged.length} acknowledged ${what} are gone.`] : []),
    ...(doubled > 0 ? [`${doubled} ${what} are there more than once.`] : []),
  ];
  return { lost, doubled, faults };
}

function sum(all: { lost: number; doubled: number }[], which: 'lost' | 'doubled'): number {
  return all.reduce((total, each) => total + each[which], 0);
}
