import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { processBulkInvitations } from '#contract/documented-functions.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { sendMessage } from '#contract/messages.ts';
import { handOverWeek, markStipendPaid } from '#contract/payments.ts';
import { writePersonNote } from '#contract/person-notes.ts';
import { approveStipend } from '#contract/stipends.ts';
import { listUsers } from '#contract/user-management.ts';
import { newId } from '#server/platform/ids.ts';
import { bulkRecordsFor } from '#test/factories/imports.ts';
import { uploadFile } from '#test/support/uploads.ts';
import type { Kept, World } from './world.ts';

interface Shared {
  world: World;
  record: Kept;
  /** True once it was acknowledged. */
  attempt(what: string, act: () => Promise<unknown>): Promise<boolean>;
  /** Stipends that wait for a decision, and cohorts that wait for a hand-over. Each is taken once. */
  stipends: ArrayIterator<World['stipends'][number]>;
  cohorts: ArrayIterator<string>;
  goesOn(): boolean;
  /** Another one each time. */
  anybody(): World['participants'][number];
}

type Line = (shared: Shared) => () => Promise<unknown>;

const most = 100;
const fileBytes = 60_000;
const peopleInFile = 10;

/** What people do, each again and again. */
export const lines = {
  note: writesNotes,
  message: writesMessages,
  stipend: paysStipends,
  read: reads,
  file: uploadsFiles,
  people: importsPeople,
  handover: handsOver,
} satisfies Record<string, Line>;

function writesNotes({ world: { admin }, record, attempt, anybody }: Shared) {
  return async () => {
    const text = `A note ${newId()}`;
    const input = { params: { id: anybody().id }, body: { kind: 'staff' as const, text } };
    if (await attempt('note', () => admin.call(taking(writePersonNote), input))) record.notes.push(text);
  };
}

function writesMessages({ world: { coach }, record, attempt, anybody, goesOn }: Shared) {
  return async () => {
    const key = newId();
    const { id } = anybody();
    const input = { params: { id }, body: { clientKey: key, text: `Key ${key}`, fileId: null } };
    for (let tries = 0; tries < most && (tries === 0 || goesOn()); tries += 1)
      if (await attempt('message', () => coach.call(taking(sendMessage), input))) return void record.messages.push(key);
  };
}

function paysStipends({ world: { admin }, record, attempt, stipends, goesOn }: Shared) {
  return async () => {
    const next = stipends.next().value;
    if (!next) return pause(100);
    const params = { id: next.id };
    let version = next.version;
    const approve = async () => {
      ({ version } = await admin.call(versioned(approveStipend), { params, body: { version } }));
    };
    if (!(await attempt('approval', approve))) return;
    record.approved.push(next.id);
    const body = { version, reference: `drill ${next.id}` };
    const pay = () => admin.call(taking(markStipendPaid), { params, body });
    // An admin without an answer presses again. The second payment is refused as stale if the first one was written.
    for (let tries = 0; tries < most && (tries === 0 || goesOn()); tries += 1) {
      if (await attempt('payment', pay)) return void record.paid.push(next.id);
      if (/stale|conflict/.test(record.failures.at(-1)?.why ?? '')) return;
    }
  };
}

function reads({ world: { admin }, record, attempt }: Shared) {
  return async () => {
    if (await attempt('read', () => admin.call(taking(listUsers), { query: {} }))) record.reads += 1;
  };
}

function uploadsFiles({ record, attempt, anybody }: Shared) {
  return async () => {
    const content = `A file ${randomBytes(fileBytes / 2).toString('hex')}`;
    const { client: owner } = anybody();
    const upload = async () => {
      const id = await uploadFile(owner, { area: 'my_files', name: 'a.txt' }, content);
      record.files.push({ id, owner, content });
    };
    await attempt('file', upload);
  };
}

/** An admin without an answer sends the same file again, which makes nobody twice. */
function importsPeople({ world: { admin, openCohort }, record, attempt, goesOn }: Shared) {
  return async () => {
    const records = bulkRecordsFor(openCohort, peopleInFile);
    const body = { records, filename: 'people.csv' };
    for (let tries = 0; tries < most && (tries === 0 || goesOn()); tries += 1)
      if (await attempt('import', () => admin.call(taking(processBulkInvitations), { body })))
        return void record.imported.push(...records.map(({ email }) => email ?? ''));
  };
}

/** An admin without an answer sends the week again. */
function handsOver({ world: { admin }, record, attempt, cohorts, goesOn }: Shared) {
  return async () => {
    const cohortId = cohorts.next().value;
    if (!cohortId) return pause(100);
    const handOver = async () => {
      const { handoverId } = await admin.call(handOverWeek, { body: { weekNumber: 1, cohortId } });
      if (handoverId) record.handedOver.push(handoverId);
    };
    for (let tries = 0; tries < most && (tries === 0 || goesOn()); tries += 1)
      if (await attempt('hand-over', handOver)) return;
  };
}

/** The answer counts whatever fields it has: an earlier version knows fewer. */
function taking<E extends Endpoint>(endpoint: E) {
  return { ...endpoint, response: z.unknown() };
}

function versioned<E extends Endpoint>(endpoint: E) {
  return { ...endpoint, response: z.looseObject({ version: z.number() }) };
}
