import type { Db } from '#server/db/database.ts';
import { assignCoach, buildCohort } from '#test/factories/cohorts.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import type { Client } from '#test/support/app.ts';
import { type Product, signIn } from './product.ts';

export interface World {
  admin: Client;
  coach: Client;
  participants: { id: string; client: Client }[];
  stipends: { id: string; version: number }[];
  /** Cohorts whose first week is approved and not handed over yet. */
  cohorts: string[];
  /** Takes whom an import brings. */
  openCohort: { name: string };
}

/** What was answered with success, and what was refused or cut off, each with its moment. */
export interface Kept {
  notes: string[];
  /** By the client's own key. A message is sent with the same key until it is acknowledged. */
  messages: string[];
  approved: string[];
  /** By stipend. */
  paid: string[];
  files: { id: string; owner: Client; content: string }[];
  /** The address of everybody whom an acknowledged import brings. */
  imported: string[];
  /** Batches that the payment system has, or that are on their way to it. */
  handedOver: string[];
  reads: number;
  failures: { at: number; what: string; why: string }[];
  /** The longest time between two acknowledged answers, in ms. */
  longestSilence: number;
}

const stipendsInWeek = 3;

/** All of it in one transaction, which takes a tenth of the time. */
export function buildWorld(
  db: Db,
  product: Product,
  sizes = { participants: 6, stipends: 600, cohorts: 0 },
): Promise<World> {
  return db.transaction().execute((transaction) => build(transaction, product, sizes));
}

async function build(
  db: Db,
  product: Product,
  sizes: { participants: number; stipends: number; cohorts: number },
): Promise<World> {
  const [admin, coach] = [await buildAdmin(db), await buildCoach(db)];
  const participants = [];
  for (let count = 0; count < sizes.participants; count += 1) {
    const person = await buildParticipant(db);
    await assignCoach(db, { participantId: person.id, coachId: coach.id });
    participants.push({ id: person.id, client: await signIn(db, product, person) });
  }
  const stipends = [];
  for (let count = 0; count < sizes.stipends; count += 1) stipends.push(await buildStipend(db));
  const cohorts = [];
  for (let count = 0; count < sizes.cohorts; count += 1) cohorts.push(await buildApprovedWeek(db));
  return {
    admin: await signIn(db, product, admin),
    coach: await signIn(db, product, coach),
    participants,
    stipends: stipends.map(({ id, version }) => ({ id, version })),
    cohorts,
    openCohort: await buildCohort(db, { capacity: 100_000 }),
  };
}

async function buildApprovedWeek(db: Db): Promise<string> {
  const { id } = await buildCohort(db);
  const { id: approvedBy } = await buildAdmin(db);
  for (let count = 0; count < stipendsInWeek; count += 1)
    await buildStipend(db, { cohortId: id, paymentStatus: 'approved', approvedBy });
  return id;
}
