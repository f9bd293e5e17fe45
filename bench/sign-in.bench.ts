import { verify } from '@node-rs/argon2';
import { signIn } from '#contract/accounts.ts';
import { hashPassword } from '#server/sign-in/password-hash.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { openBenchApp } from './bench-app.ts';
import type { Scenario } from './scenario.ts';

/** These people share one address, as when a class signs in. */
const people = 40;
const password = 'Power-Up-2026!';

export const scenario: Scenario = {
  measured: 'signing in over HTTP, 40 people in turn, with the session stored',
  baseline: 'the bare check of the password hash',
  rounds: 40,
  atOnce: 8,
  prepare: async () => {
    const app = await openBenchApp();
    const emails = Array.from({ length: people }, (_, index) => `member-${index}@people.example`);
    for (const email of emails) {
      await createSignInWithPassword(app.db, {
        email,
        password,
        firstName: 'Robin',
        lastName: 'Reyes',
        role: 'participant',
        trackType: 'fellowship',
      });
    }
    let next = 0;
    const emailInTurn = () => {
      next += 1;
      return emails[next % people] ?? '';
    };
    const hash = await hashPassword(password);
    const anybody = await app.as(null);
    return {
      cases: [
        {
          name: 'Sign-in',
          runMeasured: async () => void (await anybody.call(signIn, { body: { email: emailInTurn(), password } })),
          runBaseline: async () => void (await verify(hash, password)),
        },
      ],
      close: app.close,
    };
  },
};
