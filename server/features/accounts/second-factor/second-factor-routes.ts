import {
  changeSignInPolicy,
  confirmSecondFactor,
  enrolSecondFactor,
  giveProof,
  mailProofCode,
  readProofWays,
  readSecondFactor,
  readSignInPolicy,
  removeSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
  verifySecondFactor,
} from '#contract/second-factor.ts';
import { mailCode, proveAgain } from '#server/features/accounts/second-factor/fresh-proof.ts';
import {
  beginSetUp,
  completeSignIn,
  confirmSetUp,
  removeFactorOf,
  replaceRecoveryCodes,
  turnOff,
} from '#server/features/accounts/second-factor/second-factor.ts';
import {
  readProofWaysOf,
  readSecondFactorView,
} from '#server/features/accounts/second-factor/second-factor-queries.ts';
import { changePolicy } from '#server/features/accounts/second-factor/sign-in-policy.ts';
import { readPolicy } from '#server/features/accounts/second-factor/sign-in-policy-queries.ts';
import type { App } from '#server/platform/app-parts.ts';
import { serve } from '#server/platform/serve.ts';

export function secondFactorRoutes(app: App): void {
  serve(app, readSecondFactor, ({ db, actor }) => readSecondFactorView({ ...app, db }, actor));
  serve(app, enrolSecondFactor, ({ db, actor }) => beginSetUp(app, db, actor));
  serve(app, confirmSecondFactor, ({ actor, body, request, reply }) =>
    confirmSetUp(app, actor, body.code, { request, reply }),
  );
  serve(app, verifySecondFactor, async ({ actor, body, request, reply }) => {
    await completeSignIn(app, actor, body, { request, reply });
    return { done: true as const };
  });
  serve(app, renewRecoveryCodes, ({ db, actor }) => replaceRecoveryCodes(app, db, actor));
  serve(app, turnOffSecondFactor, async ({ actor, body, request }) => {
    await turnOff(app, actor, body.given, request);
    return { done: true as const };
  });

  serve(app, readProofWays, ({ db, actor }) => readProofWaysOf(db, actor));
  serve(app, mailProofCode, async ({ actor }) => {
    await mailCode(app, actor);
    return { done: true as const };
  });
  serve(app, giveProof, async ({ actor, body, request }) => {
    await proveAgain(app, actor, body, request);
    return { done: true as const };
  });

  serve(app, readSignInPolicy, ({ db }) => readPolicy(db, app.config));
  serve(app, changeSignInPolicy, ({ db, actor, body }) => changePolicy(db, actor, body, app.config));
  serve(app, removeSecondFactor, ({ db, actor, body }) => removeFactorOf(app, db, actor, body.email));
}
