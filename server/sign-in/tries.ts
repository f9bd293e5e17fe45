import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorStatus } from '#contract/errors.ts';
import { ProofWay } from '#contract/sign-in-records.ts';
import type { App } from '#server/platform/app-parts.ts';
import { AppError } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { defineQueue, enqueue } from '#server/platform/jobs.ts';
import { signInsRefused } from '#server/platform/metrics.ts';
import { userAgentOf } from '#server/sign-in/device-words.ts';
import { SealedAddress, sealAddress } from '#server/sign-in/sealed-addresses.ts';

/** refused-sign-ins.ts does its work. */
export const refusedTryQueue = defineQueue(
  'refused-sign-in',
  z.object({
    id: z.uuid(),
    kind: z.enum(['refusal', 'refused_proof']),
    way: ProofWay,
    userId: z.uuid().nullable(),
    email: SealedAddress.nullable(),
    ipAddress: z.string(),
    userAgent: z.string().nullable(),
    unconfirmedEmail: SealedAddress.nullable(),
  }),
);

/** The account that is tried, by id, or by an address that may have no account. Nothing else that was typed is kept. */
interface TriedAccount {
  userId: string | null;
  email: string | null;
  /** Set if a sign-in lacks only the confirmation of this address. */
  unconfirmedEmail: string | null;
}

declare const judged: unique symbol;

/**
 * A person tries to prove their identity. Only judgeTry makes a Try. Without one, nothing begins a session or proves
 * more in a session, so no door can forget its refusals.
 */
export interface Try {
  readonly [judged]: true;
  readonly way: ProofWay;
  isOf(account: Partial<TriedAccount>): void;
  succeed(): void;
}

/** A `proof` happens in a session that is open already. */
interface Judged {
  of: 'sign_in' | 'proof';
  way: ProofWay;
}

/**
 * A try that ends without success is on record as refused, whether `judge` throws or returns. Nothing counts as judged
 * if a limit holds the try off, if it meets a conflict (such as an account without a password), or if the server fails.
 * Every refusal enqueues the same job, so the time it takes tells nobody whether an address has an account. Give it no
 * transaction, because a refusal would roll the record back.
 */
export async function judgeTry<Result>(
  { db, secrets }: Pick<App, 'db' | 'secrets'>,
  request: FastifyRequest,
  { of, way }: Judged,
  judge: (tried: Try) => Promise<Result>,
): Promise<Result> {
  const account: TriedAccount = { userId: null, email: null, unconfirmedEmail: null };
  let isRight = false;
  const tried = {
    way,
    isOf: (known: Partial<TriedAccount>) => void Object.assign(account, known),
    succeed: () => {
      isRight = true;
    },
  } as Try;
  const note = async () => {
    if (isRight) return;
    signInsRefused.inc({ of, way });
    const sealed = (email: string | null) => (email === null ? null : sealAddress(secrets, email));
    await enqueue(db, refusedTryQueue, {
      id: newId(),
      kind: of === 'proof' ? 'refused_proof' : 'refusal',
      way,
      userId: account.userId,
      email: sealed(account.email),
      ipAddress: request.ip,
      userAgent: userAgentOf(request),
      unconfirmedEmail: sealed(account.unconfirmedEmail),
    });
  };
  try {
    const result = await judge(tried);
    await note();
    return result;
  } catch (error) {
    if (isRefusal(error)) await note();
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  return errorStatus[error.code] < 500 && error.code !== 'too_many_requests' && error.code !== 'conflict';
}
