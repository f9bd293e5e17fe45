import type { Insertable } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { DeliveriesTable } from '#server/db/schema.gen.ts';

export function buildGivenUpDelivery(db: Db, facts: Partial<Insertable<DeliveriesTable>> = {}) {
  return db
    .insertInto('deliveries')
    .values({
      kind: 'review',
      address: 'nobody@people.example',
      subject: 'Your work was reviewed',
      textBody: 'Secret text',
      status: 'given_up',
      attempts: 13,
      lastError: '550 No such mailbox',
      givenUpAt: new Date(),
      ...facts,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
