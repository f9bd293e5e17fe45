import { sql } from 'kysely';
import type { WaysIn } from '#contract/identities.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { mailAboutWay } from '#server/features/accounts/ways-in/identities.ts';
import { configuredProviders } from '#server/features/accounts/ways-in/identity-providers.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { changed } from '#server/platform/telling.ts';

interface Way {
  id: string;
  kind: 'password' | 'identity' | 'passkey';
  /** The provider of an identity. */
  provider: string;
  /** The name of a passkey, or of the account at a provider. */
  name: string;
  since: Date;
  lastUsedAt: Date | null;
  /** This instance still offers it. */
  isUsable: boolean;
}

const labels: Record<string, string> = { google: 'Google', microsoft: 'Microsoft', wallet: 'Wallet' };

/** AUTH-64 */
export async function listWaysIn(db: Db, actor: Actor, config: Config): Promise<WaysIn> {
  const ways = await readWays(db, actor, config);
  const identities = ways.filter(({ kind }) => kind === 'identity');
  const passkeys = ways.filter(({ kind }) => kind === 'passkey');
  return {
    hasPassword: ways.some(({ kind }) => kind === 'password'),
    identities: identities.map((way) => ({
      id: way.id,
      label: labelOf(way, config),
      account: way.provider === 'wallet' ? way.name : null,
      linkedAt: way.since.toISOString(),
      canUnlink: !isLastWayIn(way, ways),
    })),
    passkeys: passkeys.map((way) => ({
      id: way.id,
      name: way.name,
      createdAt: way.since.toISOString(),
      lastUsedAt: way.lastUsedAt?.toISOString() ?? null,
      canRemove: !isLastWayIn(way, ways),
    })),
    linkable: {
      providers: configuredProviders(config).map(({ id, label }) => ({ id, label })),
      wallet: config.walletSignIn,
      passkeys: config.passkeys,
    },
  };
}

export async function unlinkIdentity(db: Db, actor: Actor, id: string, config: Config): Promise<void> {
  const way = await takeWay(db, actor, 'identity', id, config);
  await sql`
    with unlinked as (
      delete from auth.account where id = ${id} and user_id = ${actor.id} returning user_id, provider_id, account_id
    )
    insert into auth.unlinked_identity (user_id, provider_id, account_id) select * from unlinked where provider_id <> 'wallet'
    on conflict do nothing`.execute(db);
  await changed(db, 'ways-in', [actor.id]);
  await audit(db, actor.id, {
    action: 'identity.unlink',
    subjectType: 'user',
    subjectId: actor.id,
    before: { provider: way.provider, account: way.name },
  });
  const news = `You can no longer sign in to your account with ${labelOf(way, config)}.`;
  await mailAboutWay(db, actor.id, news, config.publicUrl);
}

export async function removePasskey(db: Db, actor: Actor, id: string, config: Config): Promise<void> {
  const way = await takeWay(db, actor, 'passkey', id, config);
  await sql`delete from auth.passkey where id = ${id} and user_id = ${actor.id}`.execute(db);
  await changed(db, 'ways-in', [actor.id]);
  await audit(db, actor.id, {
    action: 'passkey.remove',
    subjectType: 'user',
    subjectId: actor.id,
    before: { name: way.name },
  });
  await mailAboutWay(
    db,
    actor.id,
    `You can no longer sign in to your account with the passkey "${way.name}".`,
    config.publicUrl,
  );
}

/** Loads the person's own way that is to go. The lock lets two removals run one after the other. */
async function takeWay(db: Db, actor: Actor, kind: Way['kind'], id: string, config: Config): Promise<Way> {
  await sql`select from auth."user" where id = ${actor.id} for update`.execute(db);
  const ways = await readWays(db, actor, config);
  const way = ways.find((candidate) => candidate.kind === kind && candidate.id === id);
  if (!way) throw notFound('This way to sign in is not one of yours.');
  if (isLastWayIn(way, ways)) {
    throw new AppError('conflict', 'This is your last way to sign in. Set a password or add another way first.');
  }
  return way;
}

function isLastWayIn(way: Way, ways: Way[]): boolean {
  return !ways.some((other) => other !== way && other.isUsable);
}

async function readWays(db: Db, actor: Actor, config: Config): Promise<Way[]> {
  const offered = ['credential', ...configuredProviders(config).map(({ id }) => id as string)];
  if (config.walletSignIn) offered.push('wallet');
  const found = await sql<Way>`
    select id, case provider_id when 'credential' then 'password' else 'identity' end as kind, provider_id as provider,
      account_id as name, created_at as since, null::timestamptz as last_used_at,
      provider_id = any(${offered}) as is_usable
    from auth.account where user_id = ${actor.id} and (provider_id <> 'credential' or password is not null)
    union all
    select id, 'passkey', 'passkey', name, created_at, last_used_at, ${config.passkeys}::boolean
    from auth.passkey where user_id = ${actor.id}
    order by since, id`.execute(db);
  return found.rows;
}

function labelOf({ provider }: Way, config: Config): string {
  return labels[provider] ?? config.signInProviders.oidc?.label ?? 'Another service';
}
