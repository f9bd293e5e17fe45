import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { App } from '#server/platform/app-parts.ts';
import { countedAddress, countedSite } from '#server/platform/client-address.ts';
import { limitAllTriesBeside, type RateLimitRule } from '#server/platform/rate-limit.ts';

export interface AccountLimits {
  /** Counts all accounts together, and is wide because a whole class sits behind one address. */
  byAddress: RateLimitRule;
  /** The strictest limit. */
  byAccountAndAddress: RateLimitRule;
  /** Counts all addresses together. It is so wide that no single address can use it up. */
  byAccount: RateLimitRule;
}

const networksOfSite = 4;

/**
 * Nobody floods a mailbox. A person who asks for mails to somebody else's mailbox does not use up the owner's requests.
 */
export const mailLimits: AccountLimits = {
  byAddress: { max: 60, windowSeconds: 600 },
  byAccountAndAddress: { max: 5, windowSeconds: 600 },
  byAccount: { max: 20, windowSeconds: 600 },
};

/** Counts one try for an account and refuses too many. Returns the counter that a success ends. */
export async function limitAccountTries(
  app: Pick<App, 'db' | 'config'>,
  request: FastifyRequest,
  kind: string,
  account: string,
  limits: AccountLimits,
): Promise<string> {
  const { tries, rules, onlyThen } = accountCounters(request, kind, account, limits);
  await limitAllTriesBeside(app.db, { rules, onlyThen, factor: app.config.rateLimitFactor }, sql`select`);
  return tries;
}

/**
 * Tries of one address beyond its own limit count for nobody else. A device that has signed in to the account before
 * has its own counter, so strangers do not keep it out, even behind the same address.
 */
export function accountCounters(
  request: FastifyRequest,
  kind: string,
  account: string,
  limits: AccountLimits,
  knownDevice: string | null = null,
) {
  const address = countedAddress(request);
  const tries = knownDevice === null ? `${kind}-at:${address} ${account}` : `${kind}-on:${knownDevice} ${account}`;
  return {
    tries,
    rules: {
      [`${kind}-from:${address}`]: limits.byAddress,
      [tries]: limits.byAccountAndAddress,
    },
    onlyThen: {
      ...siteRules(request, kind, limits.byAddress),
      ...(knownDevice === null
        ? {
            ...siteRules(request, `${kind} ${account}`, limits.byAccountAndAddress),
            [`${kind}-of:${account}`]: limits.byAccount,
          }
        : {}),
    },
  };
}

/** One customer of a provider has many IPv6 networks. Together they may try as often as a few of them. */
function siteRules(request: FastifyRequest, counted: string, { max, windowSeconds }: RateLimitRule) {
  const site = countedSite(request);
  return site === null ? {} : { [`site:${site} ${counted}`]: { max: max * networksOfSite, windowSeconds } };
}
