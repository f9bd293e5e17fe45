import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Endpoint } from '#contract/endpoint.ts';
import { sendMessage } from '#contract/messages.ts';
import { markStipendPaid } from '#contract/payments.ts';
import { writePersonNote } from '#contract/person-notes.ts';
import { approveStipend } from '#contract/stipends.ts';
import { listUsers } from '#contract/user-management.ts';
import type { Db } from '#server/db/database.ts';
import { newId } from '#server/platform/ids.ts';
import { assignCoach } from '#test/factories/cohorts.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import type { Client } from '#test/support/app.ts';
import { type Product, signIn } from './product.ts';

export interface World {
  db: Db;
  admin: Client;
  coach: Client;
  participants: { id: string; client: Client }[];
  stipends: { id: string; version: number }[];
}

/** What was answered with success, and what was refused or cut off, each with its moment. */
export interface Kept {
  notes: string[];
  /** By the client's own key. A message is sent with the same key until it is acknowledged. */
  messages: string[];
  approved: string[];
  /** By stipend. */
  paid: string[];
  reads: number;
  failures: { at: number; what: string; why: string }[];
  /** The longest time between two acknowledged answers, in ms. */
  longestSilence: number;
}

export interface Load {
  record: Kept;
  /** Lets what is on its way end. */
  stop(): Promise<void>;
}

export async function buildWorld(db: Db, product: Product, sizes = { participants: 6, stipends: 600 }): Promise<World> {
  const [admin, coach] = [await buildAdmin(db), await buildCoach(db)];
  const participants = [];
  for (let count = 0; count < sizes.participants; count += 1) {
    const person = await buildParticipant(db);
    await assignCoach(db, { participantId: person.id, coachId: coach.id });
    participants.push({ id: person.id, client: await signIn(db, product, person) });
  }
  const stipends = [];
  for (let count = 0; count < sizes.stipends; count += 1) stipends.push(await buildStipend(db));
  return {
    db,
    admin: await signIn(db, product, admin),
    coach: await signIn(db, product, coach),
    participants,
    stipends: stipends.map(({ id, version }) => ({ id, version })),
  };
}

/** Writes and reads until it is stopped, one after the other in each line. */
export function startLoad({ admin, coach, participants, stipends }: World): Load {
  const record: Kept = {
    notes: [],
    messages: [],
    approved: [],
    paid: [],
    reads: 0,
    failures: [],
    longestSilence: 0,
  };
  const waiting = stipends.values();
  let isStopped = false;
  let lastAnswer = performance.now();
  let turn = 0;
  const anybody = () => {
    turn += 1;
    return participants[turn % participants.length] as World['participants'][number];
  };

  const answered = () => {
    const now = performance.now();
    record.longestSilence = Math.max(record.longestSilence, now - lastAnswer);
    lastAnswer = now;
  };
  /** True once it was acknowledged. */
  async function attempt(what: string, act: () => Promise<unknown>): Promise<boolean> {
    try {
      await act();
      answered();
      return true;
    } catch (error) {
      record.failures.push({
        at: performance.now(),
        what,
        why: error instanceof Error ? error.message : String(error),
      });
      await pause(100);
      return false;
    }
  }
  const note = async () => {
    const text = `A note ${newId()}`;
    const input = { params: { id: anybody().id }, body: { kind: 'staff' as const, text } };
    if (await attempt('note', () => admin.call(taking(writePersonNote), input))) record.notes.push(text);
  };
  const message = async () => {
    const key = newId();
    const { id } = anybody();
    const input = { params: { id }, body: { clientKey: key, text: `Key ${key}`, fileId: null } };
    for (let tries = 0; tries < 100; tries += 1)
      if (await attempt('message', () => coach.call(taking(sendMessage), input))) return void record.messages.push(key);
  };
  const stipend = async () => {
    const next = waiting.next().value;
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
    for (let tries = 0; tries < 100; tries += 1) {
      if (await attempt('payment', pay)) return void record.paid.push(next.id);
      if (/stale|conflict/.test(record.failures.at(-1)?.why ?? '')) return;
    }
  };
  const read = async () => {
    if (await attempt('read', () => admin.call(taking(listUsers), { query: {} }))) record.reads += 1;
  };
  const line = async (act: () => Promise<unknown>) => {
    while (!isStopped) await act();
  };
  const lines = [note, message, message, stipend, stipend, read].map(line);
  return {
    record,
    stop: async () => {
      isStopped = true;
      await Promise.all(lines);
      answered();
    },
  };
}

/** The answer counts whatever fields it has: an earlier version knows fewer. */
function taking<E extends Endpoint>(endpoint: E) {
  return { ...endpoint, response: z.unknown() };
}

function versioned<E extends Endpoint>(endpoint: E) {
  return { ...endpoint, response: z.looseObject({ version: z.number() }) };
}
