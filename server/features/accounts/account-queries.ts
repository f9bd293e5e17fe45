import { sql } from 'kysely';
import type { readSession } from '#contract/accounts.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { houseZone } from '#contract/house-zone.ts';
import { builtOnceByRole } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { offeredWays } from '#server/features/accounts/ways-in/sign-in-ways.ts';
import { contactIds } from '#server/features/messages/message-access.ts';
import type { Actor, Identity } from '#server/platform/actor.ts';
import type { App } from '#server/platform/app-parts.ts';
import { now } from '#server/platform/clock.ts';
import { keyFor } from '#server/platform/secret-box.ts';
import { demoAccounts, demoPassword } from '#server/sign-in/demo-accounts.ts';

type SessionView = ReplyOf<typeof readSession>;
type SessionFacts = Pick<SessionView, 'expiresAt' | 'unreadMessages' | 'unreadNotices' | 'zone'> & {
  requestedRole: 'coach' | 'admin' | null;
};

const nobody: SessionFacts = {
  ...{ expiresAt: null, unreadMessages: 0, unreadNotices: 0, requestedRole: null },
  zone: houseZone,
};

type SessionApp = Pick<App, 'db' | 'config' | 'secrets'>;

export async function readSessionView({ db, config, secrets }: SessionApp, identity: Identity): Promise<SessionView> {
  const { actor, pending, assurance } = identity;
  const { requestedRole, ...facts } = actor ? await readFacts(db, actor) : nobody;
  return {
    ...facts,
    user: actor && { ...actor, requestedRole },
    awaitsSecondFactor: pending !== null,
    mustSetUpSecondFactor: assurance?.mustSetUpSecondFactor ?? false,
    secondFactorDueAt: assurance?.secondFactorDueAt?.toISOString() ?? null,
    mustChangePassword: assurance?.mustChangePassword ?? false,
    assuranceLevel: assurance?.level ?? null,
    deviceKey: actor && keyFor(secrets, `device:${actor.sessionId}`).toString('base64'),
    serverTime: now().toISOString(),
    instance: {
      isDemo: config.isDemo,
      demoPassword: config.isDemo ? demoPassword : null,
      demoAccounts: config.isDemo && !actor ? await findDemoAccounts(db) : [],
      signInProviders: offeredWays(config),
      grantsChosenRole: config.selfAssignedRoles,
    },
  };
}

async function readFacts(db: Db, { id: actorId, role, sessionId }: Actor): Promise<SessionFacts> {
  const [facts] = await factsOf(db, role, { actorId, sessionId });
  return facts ? { ...facts, expiresAt: facts.expiresAt.toISOString() } : nobody;
}

const factsOf = builtOnceByRole(
  (db, role, { actorId, sessionId }: { actorId: string; sessionId: string }) => sql<
    Omit<SessionFacts, 'expiresAt'> & { expiresAt: Date }
  >`
    select session.expires_at, profile.requested_role, zone_of_person(profile.id) as zone,
      (select count(*)::int from coach_messages where recipient_id = profile.id and not is_read
        and sender_id in ${contactIds(db, { id: actorId, role })}) as unread_messages,
      (select count(*)::int from notices where user_id = profile.id and read_at is null and replaced_by is null) as unread_notices
    from auth.session
    join profiles profile on profile.id = session.user_id
    where session.id = ${sessionId}`,
);

async function findDemoAccounts(db: Db) {
  const found = await db
    .selectFrom('auth.user')
    .select('email')
    .where(
      'email',
      'in',
      demoAccounts.map((account) => account.email),
    )
    .execute();
  const present = new Set(found.map((row) => row.email));
  return demoAccounts.filter((account) => present.has(account.email));
}
