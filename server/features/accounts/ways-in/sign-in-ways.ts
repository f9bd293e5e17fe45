import type { SignInProvider } from '#contract/sign-in-ways.ts';
import type { Config } from '#server/config.ts';
import { configuredProviders, type IdentityProvider } from '#server/features/accounts/ways-in/identity-providers.ts';
import { AppError } from '#server/platform/errors.ts';

interface Way {
  id: string;
  label: string;
}

/** Returns the ways to sign in beside the password that this instance offers, in the order of their buttons. */
export function offeredWays(config: Config): Way[] {
  return [
    ...(config.signInByMail ? [{ id: 'mail', label: 'Email' }] : []),
    ...configuredProviders(config).map(({ id, label }) => ({ id, label })),
    ...(config.passkeys ? [{ id: 'passkey', label: 'Passkey' }] : []),
    ...(config.walletSignIn ? [{ id: 'wallet', label: 'Wallet' }] : []),
  ];
}

export function requireMailSignIn(config: Config): void {
  if (!config.signInByMail) throw notOffered('by email');
}

export function requireWalletSignIn(config: Config): void {
  if (!config.walletSignIn) throw notOffered('with a wallet');
}

export function requirePasskeys(config: Config): void {
  if (!config.passkeys) throw notOffered('with a passkey');
}

export function requireProvider(config: Config, id: SignInProvider): IdentityProvider {
  const provider = configuredProviders(config).find((candidate) => candidate.id === id);
  if (!provider) throw notOffered(`with ${providerNames[id]}`);
  return provider;
}

const providerNames: Record<SignInProvider, string> = {
  google: 'Google',
  microsoft: 'Microsoft',
  oidc: 'an OpenID Connect provider',
};

function notOffered(way: string): AppError {
  return new AppError('not_configured', `Signing in ${way} is not set up here.`);
}
