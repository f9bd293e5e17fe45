import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditAction } from '#server/platform/audit-actions.ts';
import { buildAdmin } from './factories/people.ts';
import { startTestApp } from './support/app.ts';
import { auditedAccounts } from './support/audited-accounts.ts';
import type { AuditedAct, AuditWorld } from './support/audited-calls.ts';
import { auditedProgramme } from './support/audited-programme.ts';
import { auditedWork } from './support/audited-work.ts';
import { startPaymentSystem } from './support/payment-system.ts';

/** The type makes this complete: a new action of the log must be here too. */
const acts: Record<AuditAction, AuditedAct> = { ...auditedAccounts, ...auditedProgramme, ...auditedWork };

let world: AuditWorld;
beforeAll(async () => {
  const receiver = await startPaymentSystem();
  const server = await startTestApp({
    STIPEND_WEBHOOK_URL: receiver.url,
    STIPEND_WEBHOOK_SECRET: 'a secret of the payment system',
    STIPEND_WEBHOOK_ALLOW_PRIVATE: '1',
    PUBLIC_URL: 'https://switchyard.example',
    PASSKEYS: '1',
    WALLET_SIGN_IN: '1',
  });
  world = { server, receiver, admin: await buildAdmin(server.db) };
});
afterAll(async () => {
  await world.server.close();
  await world.receiver.close();
});

test.each(Object.entries(acts))('%s is on record: who, on what, what was there and what is', async (action, act) => {
  const { actorId, subjectId, before = null, after = null, reason } = await act(world);
  const [entry] = await world.server.db
    .selectFrom('auditLog')
    .selectAll()
    .where('action', '=', action)
    .where('subjectId', '=', subjectId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .execute();
  expect(entry).toMatchObject({ actorId, action, subjectId, before, after, ...(reason ? { reason } : {}) });
});
