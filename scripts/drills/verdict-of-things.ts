import { sql } from 'kysely';
import { downloadFile } from '#contract/files.ts';
import type { Db } from '#server/db/database.ts';
import { findOrphans } from '#server/features/files/orphan-queries.ts';
import type { Storage } from '#server/platform/storage-shape.ts';
import { findStanding, findUnsound } from '#test/support/money-standing.ts';
import { type Ground, waitFor } from './ground.ts';

import type { Payer } from './payer.ts';
import type { Kept } from './world.ts';

export interface Judged {
  figures: [string, string | number][];
  lost: number;
  faults: string[];
}

const settleInSeconds = 360;
const mostNamed = 5;

/** Reads every acknowledged file back, and compares the storage with the rows. */
export async function judgeFiles(db: Db, storage: Storage, { files }: Kept): Promise<Judged> {
  let lost = 0;
  for (const { id, owner, content } of files) {
    const answer = await owner.fetch(downloadFile.path.replace(':id', id));
    if (answer.status !== 200 || (await answer.text()) !== content) lost += 1;
  }
  const { missing, unowned } = await findOrphans(db, storage);
  return {
    figures: [['acknowledged files, read back', files.length]],
    lost,
    faults: [
      ...(lost > 0 ? [`${lost} of ${files.length} acknowledged files are gone or differ.`] : []),
      ...(missing.count > 0 ? [`${missing.count} rows have no file, such as ${missing.names[0]}.`] : []),
      ...(unowned.count > 0 ? [`${unowned.count} files have no row, such as ${unowned.names[0]}.`] : []),
    ],
  };
}

/** Waits for the end of every import. Then each person is there once, with one invitation. */
export async function judgePeople(db: Db, { imported }: Kept): Promise<Judged> {
  const running = () => db.selectFrom('bulkImports').select('id').where('status', '=', 'processing').execute();
  await waitFor('every import ended', async () => (await running()).length === 0, settleInSeconds);
  const { rows } = await sql<{ email: string; people: number; invitations: number }>`
    select given.email,
      (select count(*)::int from profiles where profiles.email = given.email) as people,
      (select count(*)::int from deliveries where deliveries.address = given.email and deliveries.kind = 'invitation')
        as invitations
    from unnest(${imported}::text[]) as given (email)`.execute(db);
  const lost = rows.filter(({ people }) => people === 0).length;
  const odd = rows.filter(({ people, invitations }) => people === 1 && invitations !== 1);
  return {
    figures: [['imported people', imported.length]],
    lost,
    faults: [
      ...(lost > 0 ? [`${lost} of ${imported.length} imported people are not there.`] : []),
      ...odd.slice(0, mostNamed).map(({ email, invitations }) => `${email} has ${invitations} invitations.`),
    ],
  };
}

/** Waits until the payment system has all that was handed over, and is believed. Then nobody is paid twice. */
export async function judgeHandovers(db: Db, payer: Payer, { handedOver }: Kept): Promise<Judged> {
  const batches = () => db.selectFrom('stipendHandovers').select(['id', 'status']).execute();
  const isSettled = async () => {
    const open = (await batches()).filter(({ status }) => status !== 'recalled');
    return open.every(({ id, status }) => status === 'sent' && payer.confirmed.has(id));
  };
  await waitFor('every batch paid and confirmed', isSettled, settleInSeconds);
  const known = new Set((await batches()).map(({ id }) => id));
  const standing = await findStanding(db);
  const lost = new Set(handedOver.filter((id) => !known.has(id))).size;
  const twice = [...payer.paid.values()].filter((times) => times > 1).length;
  const contradicted = standing.filter(({ isContradicted }) => isContradicted).length;
  return {
    figures: [
      ['batches handed over, each paid and confirmed', known.size],
      ['tries that reached the payment system', payer.system.received.length],
    ],
    lost,
    faults: [
      ...(lost > 0 ? [`${lost} acknowledged hand-overs are gone.`] : []),
      ...(twice > 0 ? [`${twice} batches were paid twice.`] : []),
      ...(contradicted > 0 ? [`Of ${contradicted} stipends the payment system told what is not on record.`] : []),
      ...payer.changed.map((id) => `The batch ${id} came again with other bytes.`),
      ...standing.flatMap(findUnsound).slice(0, mostNamed),
      ...(await findHandedTwice(db)),
    ],
  };
}

async function findHandedTwice(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string; batches: number }>`
    select handed.stipend_id as id, count(*)::int as batches from stipend_handover_rows handed
    join stipend_handovers batch on batch.id = handed.handover_id and batch.status <> 'recalled'
    group by handed.stipend_id, handed.part having count(*) > 1`.execute(db);
  return rows.slice(0, mostNamed).map(({ id, batches }) => `The stipend ${id} was handed over in ${batches} batches.`);
}

/** Waits until no job is due any more. What was given up is counted. */
export async function judgeAllJobs(ground: Ground, db: Db): Promise<Judged> {
  const due = async () => {
    const { rows } = await sql<{ name: string; state: string; count: number }>`
      select name, state::text, count(*)::int as count from pgboss.job
      where state in ('created', 'retry', 'active') and start_after <= now() and name not like '\\_\\_pgboss\\_\\_%'
      group by name, state`.execute(db);
    return rows;
  };
  ground.say('Waiting until no job is due any more …');
  const startedAt = performance.now();
  let waiting = await due();
  await waitFor(
    'every job ended',
    async () => {
      waiting = await due();
      return waiting.length === 0;
    },
    settleInSeconds,
  ).catch(() => null);
  const { rows } = await sql<{ name: string; count: number }>`
    select name, count(*)::int as count from pgboss.job where state = 'failed' group by name`.execute(db);
  return {
    figures: [
      ['time until no job was due', `${((performance.now() - startedAt) / 1000).toFixed(0)} s`],
      ['jobs given up', rows.map(({ name, count }) => `${count} ${name}`).join(', ') || 0],
    ],
    lost: 0,
    faults: waiting.map(({ name, state, count }) => `${count} jobs ${name} are still ${state}.`),
  };
}
