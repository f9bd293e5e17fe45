import { z } from 'zod';
import { Done, endpoint, Instant } from './endpoint.ts';

/** For this long a device that somebody chose to remember is not asked for a code again. */
export const rememberedDays = 30;
export const recoveryCodeCount = 10;
export const mailedCodeMinutes = 10;
export const mailedCodeTries = 5;

const spaces = /\s/g;
export const SixDigits = z
  .string()
  .max(20)
  .transform((code) => code.replace(spaces, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'A code has 6 digits'));
export const RecoveryCode = z.string().min(1, 'Please enter a recovery code').max(40);

/** What a person gives instead of the code generator's code when they don't have it. */
const CodeOrRecoveryCode = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('code'), code: SixDigits }),
  z.object({ kind: z.literal('recovery_code'), code: RecoveryCode }),
]);
export type CodeOrRecoveryCode = z.output<typeof CodeOrRecoveryCode>;

const NewRecoveryCodes = z.object({
  /** Shown this once: only their hashes are kept. Each works once. */
  recoveryCodes: z.array(z.string()),
});

export const readSecondFactor = endpoint({
  name: 'readSecondFactor',
  method: 'GET',
  path: '/api/account/second-factor',
  access: 'account.own',
  summary: 'Whether the signed-in person has a second factor, and how many recovery codes are left.',
  shows: ['ways-in', 'people'],
  response: z.object({
    confirmedAt: Instant.nullable(),
    recoveryCodesLeft: z.number().int(),
    rememberedDevices: z.number().int(),
    /** The person's role must have one, so it cannot be turned off. */
    isRequired: z.boolean(),
  }),
});

export const enrolSecondFactor = endpoint({
  name: 'enrolSecondFactor',
  method: 'POST',
  path: '/api/account/second-factor',
  access: 'account.own',
  needsFreshProof: true,
  summary:
    'Makes a secret for a code generator (TOTP). It counts for nothing until a first code confirms it (AUTH-65).',
  holdsSecret: true,
  response: z.object({
    /** 160 bits in base32, for typing in. */
    secret: z.string(),
    /** otpauth:// address, for the QR code. */
    uri: z.string(),
  }),
});

export const confirmSecondFactor = endpoint({
  name: 'confirmSecondFactor',
  method: 'POST',
  path: '/api/account/second-factor/confirm',
  access: 'account.own',
  ownTransactions: true,
  summary:
    'Turns the second factor on with a first code: the session is aal2 and has another token now, all others end.',
  body: z.object({ code: SixDigits }),
  holdsSecret: true,
  response: NewRecoveryCodes,
});

export const verifySecondFactor = endpoint({
  name: 'verifySecondFactor',
  method: 'POST',
  path: '/api/account/second-factor/verify',
  access: 'pending',
  ownTransactions: true,
  summary: 'Completes a sign-in with a code or a recovery code: the session is aal2 from now on (AUTH-66).',
  body: z.object({ given: CodeOrRecoveryCode, isDeviceRemembered: z.boolean().default(false) }),
  response: Done,
});

export const renewRecoveryCodes = endpoint({
  name: 'renewRecoveryCodes',
  method: 'POST',
  path: '/api/account/second-factor/recovery-codes',
  access: 'account.own',
  needsFreshProof: true,
  summary: 'Makes new recovery codes; the old ones work no more.',
  holdsSecret: true,
  response: NewRecoveryCodes,
});

export const turnOffSecondFactor = endpoint({
  name: 'turnOffSecondFactor',
  method: 'POST',
  path: '/api/account/second-factor/turn-off',
  access: 'account.own',
  needsFreshProof: true,
  ownTransactions: true,
  summary: 'Removes the own second factor, with a code; refused while the role must have one (AUTH-67).',
  body: z.object({ given: CodeOrRecoveryCode }),
  response: Done,
});

export const readProofWays = endpoint({
  name: 'readProofWays',
  method: 'GET',
  path: '/api/account/proof',
  access: 'account.own',
  summary: 'By what the signed-in person can prove once more that it is them; a mailed code always works.',
  shows: ['ways-in'],
  response: z.object({ hasPassword: z.boolean(), hasSecondFactor: z.boolean(), email: z.string() }),
});

export const mailProofCode = endpoint({
  name: 'mailProofCode',
  method: 'POST',
  path: '/api/account/proof/mail',
  access: 'account.own',
  ownTransactions: true,
  summary: 'Mails a one-time code to the signed-in person, for a sensitive act (AUTH-61).',
  response: Done,
});

export const giveProof = endpoint({
  name: 'giveProof',
  method: 'POST',
  path: '/api/account/proof',
  access: 'account.own',
  ownTransactions: true,
  summary:
    'Proves by password, code or mailed code that it is still the same person; opens sensitive acts for a while.',
  body: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('password'), password: z.string().min(1, 'Please enter your password').max(128) }),
    z.object({ kind: z.literal('code'), code: SixDigits }),
    z.object({ kind: z.literal('mailed_code'), code: SixDigits }),
  ]),
  response: Done,
});

export const SecondFactorRole = z.enum(['coach', 'admin']);
export type SecondFactorRole = z.infer<typeof SecondFactorRole>;

const SignInPolicy = z.object({
  secondFactorRoles: z.array(SecondFactorRole),
  /** People of the role who have none yet: they set it up at their next step. */
  without: z.object({ coach: z.number().int(), admin: z.number().int() }),
});

export const readSignInPolicy = endpoint({
  name: 'readSignInPolicy',
  method: 'GET',
  path: '/api/sign-in-policy',
  access: 'users.manage',
  summary: 'Which roles must have a second factor.',
  shows: ['ways-in', 'people'],
  response: SignInPolicy,
});

export const changeSignInPolicy = endpoint({
  name: 'changeSignInPolicy',
  method: 'PUT',
  path: '/api/sign-in-policy',
  access: 'users.manage',
  needsFreshProof: true,
  summary: 'Says which roles must have a second factor; who has none sets it up before anything else.',
  body: z.object({
    secondFactorRoles: z.array(SecondFactorRole).max(2),
    /** The rule as it was read before the change. If it is another by now, the answer is `stale`. */
    seen: z.array(SecondFactorRole).max(2),
  }),
  response: SignInPolicy,
});

export const removeSecondFactor = endpoint({
  name: 'removeSecondFactor',
  method: 'POST',
  path: '/api/second-factor/removal',
  access: 'users.manage',
  needsFreshProof: true,
  summary: "Removes somebody else's second factor, who lost it with the recovery codes; all their sessions end.",
  body: z.object({ email: z.email('Please enter a valid email address').max(254) }),
  response: z.object({ email: z.string() }),
});
