import { isIP } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { isAddressOrRange, isLoopbackHost } from '#server/platform/client-address.ts';

export type Config = ReturnType<typeof readConfig>;
export type S3Config = NonNullable<Config['s3']>;
export type SmsConfig = NonNullable<Config['sms']>;

const flag = z.enum(['0', '1'], { error: 'must be 0 or 1' }).transform((value) => value === '1');
const text = z.string();
/** What is sent in headers or signed with. */
const credential = text.regex(/^[!-~]+$/, 'must be one word of letters, digits and signs');
const url = (protocols: RegExp, expectation: string) => z.url({ protocol: protocols, error: expectation });
const webUrl = url(/^https?$/, 'must be an address that starts with http:// or https://').transform((value) =>
  value.replace(/\/+$/, ''),
);

const portNumber = text
  .regex(/^\d+$/, 'must be a whole number from 0 to 65535')
  .transform(Number)
  .refine((port) => port <= 65535, 'must be a whole number from 0 to 65535');

const senderForm = /^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;

/** Zero is for ever. */
const days = z
  .string()
  .regex(/^(0|[1-9]\d{0,4})$/, 'must be a whole number of days, or 0 for ever')
  .transform(Number);

export const environmentSchema = z.object({
  PORT: portNumber.default(3000),
  WORKER_PORT: portNumber.optional(),
  HOST: text
    .refine(isHost, 'must be an IP address or a host name, without http:// and without a port')
    .default('127.0.0.1'),
  PUBLIC_URL: webUrl
    .refine(
      (address) => new URL(address).origin === address,
      'must be without a path: the product has a host of its own',
    )
    .optional(),
  TRUST_PROXY: text
    .transform((list) => list.split(',').map((entry) => entry.trim()))
    .refine((list) => list.every(isAddressOrRange), 'must hold addresses or ranges as 10.0.0.0/8, separated by commas')
    .optional(),
  DATA_DIR: text.default('.data'),
  DATABASE_URL: url(/^postgres(ql)?$/, 'must be an address that starts with postgres://').optional(),
  DATABASE_DIRECT_URL: url(/^postgres(ql)?$/, 'must be an address that starts with postgres://').optional(),
  DATABASE_REPLICA_URL: url(/^postgres(ql)?$/, 'must be an address that starts with postgres://').optional(),
  DATABASE_NAMED_STATEMENTS: flag.default(true),
  S3_ENDPOINT: webUrl.optional(),
  S3_REGION: text.regex(/^[\w-]+$/, 'must be the name of a region, as us-east-1').optional(),
  S3_BUCKET: text
    .regex(/^[\w.-]{3,63}$/, 'must be the name of a bucket: 3 to 63 letters, digits, dots and hyphens')
    .optional(),
  S3_ACCESS_KEY_ID: credential.optional(),
  S3_SECRET_ACCESS_KEY: credential.optional(),
  S3_FORCE_PATH_STYLE: flag.optional(),
  BACKUP_TO: text
    .regex(/^(s3:\/\/[\w.-]{3,63}(\/.*)?|(?!\w+:).+)$/, 'must be a folder, or a bucket as s3://bucket/prefix')
    .optional(),
  BACKUP_KEY: text
    .regex(
      /^(age1[02-9ac-hj-np-z]{58}|AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58})$/,
      'must be a key that npm run backup -- --new-key prints',
    )
    .optional(),
  BACKUP_EVERY_HOURS: z
    .string()
    .regex(/^([1-9]|1\d|2[0-4])$/, 'must be a whole number of hours from 1 to 24')
    .transform(Number)
    .default(24),
  BACKUP_AT: text.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day as 02:00').default('02:00'),
  BACKUP_KEEP: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'must be a whole number above 0')
    .transform(Number)
    .default(14),
  BACKUP_S3_ENDPOINT: webUrl.optional(),
  BACKUP_S3_REGION: text.regex(/^[\w-]+$/, 'must be the name of a region, as us-east-1').optional(),
  BACKUP_S3_ACCESS_KEY_ID: credential.optional(),
  BACKUP_S3_SECRET_ACCESS_KEY: credential.optional(),
  BACKUP_S3_FORCE_PATH_STYLE: flag.optional(),
  FILE_SPACE_MB: z
    .string()
    .regex(/^[1-9]\d{0,6}$/, 'must be a whole number of megabytes above 0')
    .transform(Number)
    .default(1024),
  UPLOADS_PER_DAY_MB: z
    .string()
    .regex(/^[1-9]\d{0,6}$/, 'must be a whole number of megabytes above 0')
    .transform(Number)
    .default(500),
  UPLOADS_PER_DAY: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'must be a whole number above 0')
    .transform(Number)
    .default(100),
  BOOKINGS_OPEN: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'must be a whole number above 0')
    .transform(Number)
    .default(4),
  BOOKING_NOTICE_HOURS: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number of hours')
    .transform(Number)
    .default(2),
  RETAIN_MESSAGES_DAYS: days.default(90),
  RETAIN_IMPORTS_DAYS: days.default(180),
  RETAIN_NOTICES_DAYS: days.default(400),
  SMTP_URL: url(/^smtps?$/, 'must be an address that starts with smtp:// or smtps://').optional(),
  SMTP_TLS: flag.optional(),
  MAIL_FROM: text
    .regex(senderForm, 'must hold an email address, as Switchyard <no-reply@hub.example>')
    .default('Switchyard <no-reply@switchyard.example>'),
  STIPEND_WEBHOOK_URL: webUrl.optional(),
  STIPEND_WEBHOOK_SECRET: text.min(16, 'must be at least 16 characters long').optional(),
  STIPEND_WEBHOOK_SECRET_OLD: text.min(16, 'must be at least 16 characters long').optional(),
  STIPEND_WEBHOOK_ALLOW_PRIVATE: flag.default(false),
  PUSH_ALLOW_PRIVATE: flag.default(false),
  SMS_PROVIDER: z.enum(['http', 'twilio'], { error: 'must be http or twilio' }).optional(),
  SMS_URL: webUrl.optional(),
  SMS_ACCOUNT: text.regex(/^\w+$/, 'must be the SID of an account: letters and digits').optional(),
  SMS_TOKEN: credential.optional(),
  SMS_FROM: text
    .regex(
      /^(\+[1-9]\d{6,14}|[A-Za-z0-9][A-Za-z0-9 ]{0,33})$/,
      'must be a number as +12125552368, or a name or id of letters and digits',
    )
    .optional(),
  SMS_ALLOW_PRIVATE: flag.default(false),
  DEMO: flag.optional(),
  SELF_ASSIGNED_ROLES: flag.default(false),
  REQUIRE_ADMIN_SECOND_FACTOR: flag.optional(),
  GOOGLE_CLIENT_ID: credential.optional(),
  GOOGLE_CLIENT_SECRET: credential.optional(),
  MICROSOFT_CLIENT_ID: credential.optional(),
  MICROSOFT_CLIENT_SECRET: credential.optional(),
  OIDC_ISSUER: webUrl.optional(),
  OIDC_CLIENT_ID: credential.optional(),
  OIDC_CLIENT_SECRET: credential.optional(),
  OIDC_LABEL: text.max(60, 'must be at most 60 characters long').default('your organisation'),
  SIGN_IN_BY_MAIL: flag.default(false),
  WALLET_SIGN_IN: flag.default(false),
  PASSKEYS: flag.default(false),
  RATE_LIMIT_FACTOR: z
    .string()
    .transform(Number)
    .refine((factor) => factor > 0 && factor <= 1_000_000, 'must be a number above 0, 1000000 at most')
    .default(1),
  AUTH_SECRET: text.min(32, 'must be at least 32 characters long').optional(),
  AUTH_SECRET_OLD: text.min(32, 'must be at least 32 characters long').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional(),
  METRICS_TOKEN: credential.min(16, 'must be at least 16 characters long').optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be one of fatal, error, warn, info, debug, trace, silent',
    })
    .default('info'),
  ENROL_COHORT_ID: z.guid('must be the id of a cohort (a UUID)').optional(),
});

/** The names of all settings, for files that set some. */
export const settingNames: readonly string[] = Object.keys(environmentSchema.shape);

type Settings = z.output<typeof environmentSchema>;

const settingsThatGoTogether: (keyof Settings)[][] = [
  ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['BACKUP_S3_ACCESS_KEY_ID', 'BACKUP_S3_SECRET_ACCESS_KEY'],
  ['STIPEND_WEBHOOK_URL', 'STIPEND_WEBHOOK_SECRET'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
];

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const parsed = environmentSchema.safeParse(present);
  const problems = [
    ...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${issue.message}`),
    ...findMissingCompanions(present),
    ...findMissingBases(present),
    ...findMissingSmsSettings(present),
  ];
  if (!parsed.success || problems.length > 0) {
    throw new Error(
      `The settings are not valid:\n${problems.map((line) => `  ${line}`).join('\n')}\n.env.example explains them.`,
    );
  }
  return toConfig(parsed.data);
}

function isHost(host: string): boolean {
  return isIP(host) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(host);
}

function findMissingCompanions(present: Record<string, string | undefined>): string[] {
  const groups = settingsThatGoTogether.map((names) => ({ names, triggers: names as string[] }));
  const namesAfter = (start: string) => Object.keys(environmentSchema.shape).filter((name) => name.startsWith(start));
  if (groups[0]) groups[0].triggers = namesAfter('S3_');
  if (groups[1]) groups[1].triggers = namesAfter('BACKUP_S3_');
  return groups.flatMap(({ names, triggers }) => {
    const given = triggers.filter((name) => present[name]);
    if (given.length === 0) return [];
    return names.filter((name) => !present[name]).map((name) => `${name} must be set when ${given[0]} is set`);
  });
}

/** The second is enough by itself. The first alone says nothing, or leaves requests on the embedded database. */
const settingsOnTopOfOthers: [keyof Settings, keyof Settings][] = [
  ['DATABASE_DIRECT_URL', 'DATABASE_URL'],
  ['DATABASE_REPLICA_URL', 'DATABASE_URL'],
  ['STIPEND_WEBHOOK_SECRET_OLD', 'STIPEND_WEBHOOK_SECRET'],
];

function findMissingBases(present: Record<string, string | undefined>): string[] {
  return settingsOnTopOfOthers
    .filter(([name, base]) => present[name] && !present[base])
    .map(([name, base]) => `${base} must be set when ${name} is set`);
}

const smsSettings = { http: ['SMS_URL', 'SMS_TOKEN'], twilio: ['SMS_ACCOUNT', 'SMS_TOKEN', 'SMS_FROM'] };

function findMissingSmsSettings(present: Record<string, string | undefined>): string[] {
  const { SMS_PROVIDER: provider } = present;
  if (provider === 'http' || provider === 'twilio') {
    const missing = smsSettings[provider].filter((name) => !present[name]);
    return missing.map((name) => `${name} must be set when SMS_PROVIDER is ${provider}`);
  }
  const [given] = ['SMS_URL', 'SMS_ACCOUNT', 'SMS_TOKEN', 'SMS_FROM'].filter((name) => present[name]);
  return given && !provider ? [`SMS_PROVIDER must be set when ${given} is set`] : [];
}

function toConfig(settings: Settings) {
  return {
    port: settings.PORT,
    workerPort: settings.WORKER_PORT ?? null,
    host: settings.HOST,
    publicUrl: publicUrlOf(settings),
    trustedProxies: settings.TRUST_PROXY ?? ['loopback'],
    dataDir: path.resolve(settings.DATA_DIR),
    databaseUrl: settings.DATABASE_URL ?? null,
    /** The same database without a pooler in between: for what stays on one connection. */
    databaseDirectUrl: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL ?? null,
    /** Another server, which follows the first. Lists and dashboards are read there. */
    databaseReplicaUrl: settings.DATABASE_REPLICA_URL ?? null,
    namesStatements: settings.DATABASE_NAMED_STATEMENTS,
    s3: readS3(settings),
    backup: {
      to: settings.BACKUP_TO ?? null,
      key: settings.BACKUP_KEY ?? null,
      everyHours: settings.BACKUP_EVERY_HOURS,
      at: settings.BACKUP_AT,
      keep: settings.BACKUP_KEEP,
      s3: readBackupS3(settings),
    },
    /** By the name of the setting. Zero is for ever. */
    retainedDays: {
      RETAIN_MESSAGES_DAYS: settings.RETAIN_MESSAGES_DAYS,
      RETAIN_IMPORTS_DAYS: settings.RETAIN_IMPORTS_DAYS,
      RETAIN_NOTICES_DAYS: settings.RETAIN_NOTICES_DAYS,
    },
    fileSpaceInBytes: settings.FILE_SPACE_MB * 1024 * 1024,
    uploadedBytesPerDay: settings.UPLOADS_PER_DAY_MB * 1024 * 1024,
    uploadsPerDay: settings.UPLOADS_PER_DAY,
    bookingsOpen: settings.BOOKINGS_OPEN,
    bookingNoticeHours: settings.BOOKING_NOTICE_HOURS,
    smtpUrl: settings.SMTP_URL ?? null,
    /** An email is not sent where anybody on the way could read it. */
    smtpNeedsTls: settings.SMTP_TLS ?? !isOfThisMachine(settings.SMTP_URL),
    mailFrom: settings.MAIL_FROM,
    stipendWebhook: {
      url: settings.STIPEND_WEBHOOK_URL ?? null,
      secret: settings.STIPEND_WEBHOOK_SECRET ?? null,
      formerSecret: settings.STIPEND_WEBHOOK_SECRET_OLD ?? null,
      allowPrivate: settings.STIPEND_WEBHOOK_ALLOW_PRIVATE,
    },
    pushAllowPrivate: settings.PUSH_ALLOW_PRIVATE,
    sms: readSms(settings),
    ...readDemo(settings),
    selfAssignedRoles: settings.SELF_ASSIGNED_ROLES,
    requireAdminSecondFactor: settings.REQUIRE_ADMIN_SECOND_FACTOR ?? !readDemo(settings).isDemo,
    signInProviders: {
      google: credentials(settings.GOOGLE_CLIENT_ID, settings.GOOGLE_CLIENT_SECRET),
      microsoft: credentials(settings.MICROSOFT_CLIENT_ID, settings.MICROSOFT_CLIENT_SECRET),
      oidc: readOidc(settings),
    },
    signInByMail: settings.SIGN_IN_BY_MAIL,
    walletSignIn: settings.WALLET_SIGN_IN,
    passkeys: settings.PASSKEYS,
    rateLimitFactor: settings.RATE_LIMIT_FACTOR,
    authSecret: settings.AUTH_SECRET ?? null,
    formerAuthSecret: settings.AUTH_SECRET_OLD ?? null,
    tracesEndpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    metricsToken: settings.METRICS_TOKEN ?? null,
    logLevel: settings.LOG_LEVEL,
    enrolCohortId: settings.ENROL_COHORT_ID ?? null,
  };
}

function publicUrlOf(settings: Settings): string {
  return settings.PUBLIC_URL ?? `http://${browsableHost(settings.HOST)}:${settings.PORT}`;
}

/** The default is a demo only if nobody but this machine reaches it, and nothing of a real instance is set up. */
function readDemo(settings: Settings) {
  const hosts = [settings.HOST, new URL(publicUrlOf(settings)).hostname];
  const isOwn = hosts.every(isLoopbackHost) && !settings.SMTP_URL && !settings.DATABASE_URL;
  const isDemo = settings.DEMO ?? isOwn;
  return { isDemo, hasDemoMailbox: isDemo && !settings.SMTP_URL };
}

function isOfThisMachine(address: string | undefined): boolean {
  return address !== undefined && isLoopbackHost(new URL(address).hostname);
}

function browsableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

function readS3(settings: Settings) {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  if (!bucket || !accessKeyId || !secretAccessKey) return null;
  return {
    endpoint: settings.S3_ENDPOINT ?? null,
    region: settings.S3_REGION ?? 'us-east-1',
    bucket,
    accessKeyId,
    secretAccessKey,
    forcePathStyle: settings.S3_FORCE_PATH_STYLE ?? false,
  };
}

/** The way into the bucket of backups, which may be another storage than that of the files. */
function readBackupS3(settings: Settings) {
  const { BACKUP_S3_ACCESS_KEY_ID: accessKeyId, BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  if (!accessKeyId || !secretAccessKey) return readS3(settings);
  return {
    endpoint: settings.BACKUP_S3_ENDPOINT ?? null,
    region: settings.BACKUP_S3_REGION ?? 'us-east-1',
    accessKeyId,
    secretAccessKey,
    forcePathStyle: settings.BACKUP_S3_FORCE_PATH_STYLE ?? false,
  };
}

/** Null where no provider is set up. */
function readSms(settings: Settings) {
  const { SMS_PROVIDER: provider, SMS_URL: url, SMS_ACCOUNT: account, SMS_TOKEN: token, SMS_FROM: from } = settings;
  const allowPrivate = settings.SMS_ALLOW_PRIVATE;
  if (provider === 'http' && url && token) return { provider, url, token, from: from ?? null, allowPrivate };
  if (provider === 'twilio' && account && token && from) {
    return { provider, url: url ?? 'https://api.twilio.com', account, token, from, allowPrivate };
  }
  return null;
}

function credentials(clientId: string | undefined, clientSecret: string | undefined) {
  return clientId && clientSecret ? { clientId, clientSecret } : null;
}

function readOidc(settings: Settings) {
  const client = credentials(settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET);
  return settings.OIDC_ISSUER && client
    ? { issuer: settings.OIDC_ISSUER, label: settings.OIDC_LABEL, ...client }
    : null;
}
