import type { FastifyReply } from 'fastify';
import { sql } from 'kysely';
import { dayAt } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { findYearTotalsOf } from './stipend-export-queries.ts';
import { findAllStipendWeeks, loadParticipant } from './stipend-week-queries.ts';

/** What draws a page loads with the first statement. */
const loadPdf = () => import('./statement-pdf.ts');

export async function sendOwnStatement(db: Db, actor: Actor, reply: FastifyReply) {
  const name = `${actor.firstName} ${actor.lastName}`;
  return sendStatement(db, { id: actor.id, name, email: actor.email, zone: await findZone(db, actor.id) }, reply);
}

/** The log records who took the figures out of the product. */
export async function sendStatementOf(db: Db, actor: Actor, participantId: string, reply: FastifyReply) {
  const person = await loadParticipant(db, actor, participantId);
  await audit(db, actor.id, {
    action: 'stipend.export',
    subjectType: 'user',
    subjectId: actor.id,
    after: { scope: 'person', person: participantId, format: 'pdf' },
  });
  return sendStatement(db, { ...person, zone: await findZone(db, person.id) }, reply);
}

interface Recipient {
  id: string;
  name: string;
  email: string;
  zone: string;
}

async function findZone(db: Db, personId: string): Promise<string> {
  return (await db.selectNoFrom(sql<string>`zone_of_person(${personId})`.as('zone')).executeTakeFirstOrThrow()).zone;
}

async function sendStatement(db: Db, { id, name, email, zone }: Recipient, reply: FastifyReply) {
  const at = now();
  const weeks = await findAllStipendWeeks(db, id);
  const years = await findYearTotalsOf(db, id);
  const { drawStatement } = await loadPdf();
  return reply
    .type('application/pdf')
    .header('content-disposition', `attachment; filename="stipend-statement-${dayAt(at, zone)}.pdf"`)
    .send(drawStatement({ name, email, weeks, years, zone, now: at }));
}
