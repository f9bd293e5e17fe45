import { betterAuth } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import { bearer } from 'better-auth/plugins';
import type { FastifyBaseLogger } from 'fastify';
import { registerPasswordLength } from '#contract/passwords.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { cookiePrefix, isSecure, renewalSeconds, sessionSeconds } from '#server/platform/auth-cookie.ts';
import { newId } from '#server/platform/ids.ts';
import { logOfSignIns } from '#server/platform/logs.ts';
import { createMissingProfiles } from '#server/platform/missing-profiles.ts';
import { hashPassword, isPasswordOf } from '#server/platform/password-hash.ts';
import { countTry } from '#server/platform/rate-limit.ts';

interface AuthParts {
  db: Db;
  config: Config;
  secret: string;
  log: FastifyBaseLogger;
}

export const clientAddressHeader = 'x-client-address';

/** The sign-in library on our database. It is reached over HTTP by the endpoints of the contract only (auth-mount.ts). */
export function createAuth({ db, config, secret, log }: AuthParts) {
  return betterAuth({
    appName: 'Switchyard',
    baseURL: config.publicUrl,
    basePath: '/api/auth',
    secret,
    trustedOrigins: [config.publicUrl],
    telemetry: { enabled: false },
    logger: { level: 'error', log: logOfSignIns(log) },
    onAPIError: {
      // A refusal is the answer; anything else is a fault that Fastify logs and answers.
      onError: (error) => {
        if (!isAPIError(error)) throw error;
      },
    },
    database: { db, type: 'postgres', schemaName: 'auth', transaction: true },
    advanced: {
      cookiePrefix: cookiePrefix(config.publicUrl),
      // It would put a prefix of its own before ours.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isSecure(config.publicUrl) },
      database: { generateId: newId },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      disableCSRFCheck: false,
      disableOriginCheck: false,
    },
    user: {
      additionalFields: {
        firstName: { type: 'string', required: false, input: false },
        lastName: { type: 'string', required: false, input: false },
        requestedRole: { type: 'string', required: false, input: false },
        trackType: { type: 'string', required: false, input: false },
      },
    },
    session: { expiresIn: sessionSeconds, updateAge: renewalSeconds },
    verification: { storeIdentifier: 'hashed' },
    emailAndPassword: {
      enabled: true,
      autoSignIn: false,
      requireEmailVerification: true,
      minPasswordLength: registerPasswordLength,
      password: { hash: hashPassword, verify: ({ hash, password }) => isPasswordOf(hash, password) },
    },
    databaseHooks: {
      user: { create: { after: async (user) => void (await createMissingProfiles(db, [user.id])) } },
    },
    rateLimit: {
      enabled: true,
      window: 60,
      max: Math.ceil(300 * config.rateLimitFactor),
      customStorage: {
        consume: async (key, rule) => {
          const retryAfter = await countTry(db, key, { max: rule.max, windowSeconds: rule.window });
          return { allowed: retryAfter === null, retryAfter };
        },
      },
    },
    plugins: [bearer({ requireSignature: true })],
  });
}
