import { betterAuth } from 'better-auth';
import { APIError, createAuthMiddleware, isAPIError } from 'better-auth/api';
import { bearer } from 'better-auth/plugins';
import { confirmEmail, confirmedTarget } from '#contract/accounts.ts';
import { registerPasswordLength } from '#contract/passwords.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { cookiePrefix, renewalSeconds, sessionSeconds } from '#server/platform/auth-cookie.ts';
import { newId } from '#server/platform/ids.ts';
import { queueMail } from '#server/platform/mailer.ts';
import { createMissingProfiles } from '#server/platform/missing-profiles.ts';
import { hashPassword, isPasswordOf } from '#server/platform/password-hash.ts';
import { countTry, forgetTries, tooManyTries } from '#server/platform/rate-limit.ts';
import { confirmationMail } from '#server/platform/sign-in-mails.ts';

interface AuthParts {
  db: Db;
  config: Config;
  secret: string;
}

export const clientAddressHeader = 'x-client-address';
export const confirmationSeconds = 24 * 3600;

/** A whole class signs in behind one address. */
const signInByAddress = { window: 60, max: 60 };
/** Failed tries in a row. */
const signInByAccount = { windowSeconds: 600, max: 10 };

/** The sign-in library on our database. It is reached over HTTP by the endpoints of the contract only (auth-mount.ts). */
export function createAuth({ db, config, secret }: AuthParts) {
  return betterAuth({
    appName: 'Switchyard',
    baseURL: config.publicUrl,
    basePath: '/api/auth',
    secret,
    trustedOrigins: [config.publicUrl],
    telemetry: { enabled: false },
    logger: { level: 'error' },
    onAPIError: {
      // A refusal is the answer; anything else is a fault that Fastify logs and answers.
      onError: (error) => {
        if (!isAPIError(error)) throw error;
      },
    },
    database: { db, type: 'postgres', schemaName: 'auth', transaction: true },
    advanced: {
      cookiePrefix,
      useSecureCookies: config.publicUrl.startsWith('https://'),
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
    emailVerification: {
      expiresIn: confirmationSeconds,
      sendVerificationEmail: async ({ user, token }) => {
        const firstName = 'firstName' in user && typeof user.firstName === 'string' ? user.firstName : user.name;
        const reader = { id: user.id, email: user.email, firstName };
        await queueMail(db, confirmationMail(reader, confirmationLink(config.publicUrl, token)));
      },
    },
    databaseHooks: {
      user: { create: { after: async (user) => void (await createMissingProfiles(db, [user.id])) } },
    },
    rateLimit: {
      enabled: true,
      window: 60,
      max: Math.ceil(300 * config.rateLimitFactor),
      customRules: {
        '/sign-in/email': { ...signInByAddress, max: Math.ceil(signInByAddress.max * config.rateLimitFactor) },
        '/send-verification-email': { window: 600, max: Math.ceil(20 * config.rateLimitFactor) },
      },
      customStorage: {
        consume: async (key, rule) => {
          const retryAfter = await countTry(db, key, { max: rule.max, windowSeconds: rule.window });
          return { allowed: retryAfter === null, retryAfter };
        },
      },
    },
    hooks: {
      before: createAuthMiddleware(async (context) => {
        if (context.path !== '/sign-in/email') return;
        const wait = await countTry(db, triesOf(context.body?.email), {
          ...signInByAccount,
          max: Math.ceil(signInByAccount.max * config.rateLimitFactor),
        });
        if (wait !== null) throw new APIError('TOO_MANY_REQUESTS', { message: tooManyTries(wait) });
      }),
      after: createAuthMiddleware(async (context) => {
        if (context.path === '/sign-in/email' && context.context.newSession) {
          await forgetTries(db, triesOf(context.body?.email));
        }
      }),
    },
    plugins: [bearer({ requireSignature: true })],
  });
}

export function confirmationLink(publicUrl: string, token: string): string {
  return `${publicUrl}${confirmEmail.path}?token=${token}&callbackURL=${encodeURIComponent(confirmedTarget)}`;
}

function triesOf(email: unknown): string {
  return `sign-in:${String(email ?? '')
    .trim()
    .toLowerCase()}`;
}
