import type { Config } from '#server/config.ts';
import { isLoopbackHost } from '#server/platform/client-address.ts';
import { type Answer, fault, type Inspected, warning } from './inspected.ts';

type Looked = Pick<Inspected, 'config' | 'secrets'>;

const fewestCharacters = 10;
const guessable = /change.?me|secret|password|example|switchyard|1234567|abcdefg|qwerty/i;

export function lookAtDemo({ config }: Looked): Answer {
  if (!config.isDemo || isOfThisMachine(config)) return null;
  return warning(
    'This is a demo that other machines reach, so anybody can sign in as an admin with the published password.',
    'Set DEMO=0 unless that is what you want.',
  );
}

export function lookAtWeakSecrets({ config, secrets: [secret] }: Looked): Answer {
  const weak = secretsOf(config).filter(({ value }) => isGuessable(value));
  if (isGuessable(secret)) return weakAuthSecret;
  if (weak.length === 0) return null;
  return warning(`${namesOf(weak)} can be guessed.`, 'Replace it with what `openssl rand -hex 32` prints.');
}

/** Whoever guesses AUTH_SECRET signs in as anybody. An address that others reach lets them try. */
export function isSecretDangerous({ config, secrets }: Looked): boolean {
  return secrets.some(isGuessable) && !isOfThisMachine(config);
}

export function lookAtSharedSecrets({ config, secrets: [secret] }: Looked): Answer {
  const all = [{ name: 'AUTH_SECRET', value: secret }, ...secretsOf(config)];
  const shared = all.filter(({ value }) => all.filter((other) => other.value === value).length > 1);
  if (shared.length === 0) return null;
  return fault(
    `${namesOf(shared)} have the same value, so who knows one knows the other.`,
    'Give each a value of its own.',
  );
}

export function lookAtGeneratedSecret({ config }: Looked): Answer {
  if (config.authSecret !== null || config.databaseUrl === null) return null;
  return warning(
    'AUTH_SECRET is not set, so a process on another machine would make its own and refuse the sessions of this one.',
    'Set AUTH_SECRET to what the file auth-secret in DATA_DIR holds, in all processes.',
  );
}

export function lookAtHttps({ config }: Looked): Answer {
  if (config.publicUrl.startsWith('https:') || isOfThisMachine(config)) return null;
  return fault(
    `People reach Switchyard at ${config.publicUrl}, without https: anybody on the way reads passwords and cookies.`,
    'Put a proxy with https in front and set PUBLIC_URL to its https address.',
  );
}

export function lookAtProxy({ config }: Looked): Answer {
  const isBehindProxy = config.publicUrl.startsWith('https:');
  const namesNone = config.trustedProxies.length === 1 && config.trustedProxies[0] === 'loopback';
  if (!isBehindProxy || !namesNone || isLoopbackHost(config.host)) return null;
  return warning(
    'A proxy on another machine is not trusted, so everybody behind it counts as one address and shares its limits.',
    'Set TRUST_PROXY to the address of the proxy, or HOST=127.0.0.1 if the proxy runs on this machine.',
  );
}

export function lookAtMailSetting({ config }: Looked): Answer {
  if (config.smtpUrl !== null || config.isDemo) return null;
  return warning(
    'No mail server is set up, so invitations, password links and reminders reach nobody.',
    'Set SMTP_URL and MAIL_FROM.',
  );
}

/** Each way out can be listened on, unless it stays on this machine. */
export function lookAtOpenWays({ config }: Looked): Answer {
  const { databaseUrl, databaseDirectUrl, databaseReplicaUrl, smtpUrl, smtpNeedsTls, stipendWebhook, sms, s3, backup } =
    config;
  const isEncrypted = (address: string) => address.startsWith('https:');
  const isEncryptedMail = (address: string) => smtpNeedsTls || address.startsWith('smtps:');
  const ways: [string, string | null | undefined, (address: string) => boolean][] = [
    ['DATABASE_URL', databaseUrl, demandsTls],
    ['DATABASE_DIRECT_URL', databaseDirectUrl === databaseUrl ? null : databaseDirectUrl, demandsTls],
    ['DATABASE_REPLICA_URL', databaseReplicaUrl, demandsTls],
    ['SMTP_URL', smtpUrl, isEncryptedMail],
    ['STIPEND_WEBHOOK_URL', stipendWebhook.url, isEncrypted],
    ['SMS_URL', sms?.url, isEncrypted],
    ['S3_ENDPOINT', s3?.endpoint, isEncrypted],
    ['BACKUP_S3_ENDPOINT', backup.s3?.endpoint === s3?.endpoint ? null : backup.s3?.endpoint, isEncrypted],
    ['OIDC_ISSUER', config.signInProviders.oidc?.issuer, isEncrypted],
  ];
  const open = ways.filter(([, address, isSafe]) => address && !isOnThisMachine(address) && !isSafe(address));
  if (open.length === 0) return null;
  const names = open.map(([name]) => name).join(', ');
  return warning(
    `Without TLS, anybody on the way can read what goes to other machines by ${names}.`,
    'Use https:// there, ?sslmode=verify-full for a database, and no SMTP_TLS=0.',
  );
}

function demandsTls(address: string): boolean {
  return new URL(address).searchParams.get('sslmode') === 'verify-full';
}

/** An address without a host is a socket of this machine. */
function isOnThisMachine(address: string): boolean {
  const { hostname, searchParams } = new URL(address);
  const host = searchParams.get('host') ?? hostname;
  return host === '' || host.startsWith('/') || isLoopbackHost(host);
}

const weakAuthSecret = fault(
  'AUTH_SECRET can be guessed, and whoever guesses it signs in as anybody.',
  'Set it to what `openssl rand -hex 32` prints, or leave it out to have one made.',
);

function isGuessable(value: string): boolean {
  return new Set(value).size < fewestCharacters || guessable.test(value);
}

function isOfThisMachine({ host, publicUrl }: Config): boolean {
  return [host, new URL(publicUrl).hostname].every(isLoopbackHost);
}

function secretsOf(config: Config): { name: string; value: string }[] {
  const { signInProviders: providers } = config;
  const found: [string, string | null | undefined][] = [
    ['AUTH_SECRET_OLD', config.formerAuthSecret],
    ['STIPEND_WEBHOOK_SECRET', config.stipendWebhook.secret],
    ['STIPEND_WEBHOOK_SECRET_OLD', config.stipendWebhook.formerSecret],
    ['METRICS_TOKEN', config.metricsToken],
    ['S3_SECRET_ACCESS_KEY', config.s3?.secretAccessKey],
    ['SMS_TOKEN', config.sms?.token],
    ['GOOGLE_CLIENT_SECRET', providers.google?.clientSecret],
    ['MICROSOFT_CLIENT_SECRET', providers.microsoft?.clientSecret],
    ['OIDC_CLIENT_SECRET', providers.oidc?.clientSecret],
    ['the password in DATABASE_URL', passwordIn(config.databaseUrl)],
    ['the password in SMTP_URL', passwordIn(config.smtpUrl)],
  ];
  return found.flatMap(([name, value]) => (value ? [{ name, value }] : []));
}

function passwordIn(address: string | null): string | null {
  return address === null ? null : decodeURIComponent(new URL(address).password) || null;
}

function namesOf(secrets: { name: string }[]): string {
  const text = secrets.map(({ name }) => name).join(' and ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
