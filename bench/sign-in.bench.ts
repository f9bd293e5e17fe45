import { verify } from '@node-rs/argon2';
import { signIn } from '#contract/accounts.ts';
import { hashPassword } from '#server/platform/password-hash.ts';
import { createSignInWithPassword } from '#server/platform/sign-ins.ts';
import { openBenchApp } from './bench-app.ts';
import type { Scenario } from './scenario.ts';

const email = 'somebody@people.example';
const password = 'Power-Up-2026!';

export const scenario: Scenario = {
  measured: 'signing in over HTTP, with the session stored',
  baseline: 'the bare check of the password hash',
  rounds: 40,
  atOnce: 8,
  prepare: async () => {
    const app = await openBenchApp();
    await createSignInWithPassword(app.db, {
      email,
      password,
      firstName: 'Robin',
      lastName: 'Reyes',
      role: 'participant',
      trackType: 'fellowship',
    });
    const hash = await hashPassword(password);
    const anybody = await app.as(null);
    return {
      cases: [
        {
          name: 'Sign-in',
          runMeasured: async () => void (await anybody.call(signIn, { body: { email, password } })),
          runBaseline: async () => void (await verify(hash, password)),
        },
      ],
      close: app.close,
    };
  },
};
