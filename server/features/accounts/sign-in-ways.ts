import type { Config } from '#server/config.ts';
import { AppError } from '#server/platform/errors.ts';

interface Way {
  id: string;
  label: string;
}

/** The ways to sign in beside the password that this instance offers, in the order of their buttons. */
export function offeredWays(config: Config): Way[] {
  return config.signInByMail ? [{ id: 'mail', label: 'E-mail' }] : [];
}

export function requireMailSignIn(config: Config): void {
  if (!config.signInByMail) throw notOffered('by mail');
}

function notOffered(way: string): AppError {
  return new AppError('not_configured', `Signing in ${way} is not set up on this instance.`);
}
