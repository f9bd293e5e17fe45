import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { loadAuthSecret } from './auth-secret.ts';
import { environmentSchema, readConfig } from './config.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

const uuid = '0190b7a0-0000-7000-8000-000000000001';
const url = 'https://other.example';
/** Every setting with a value that it refuses and one that it takes. Any path can be the folder. */
const wrongAndRight: Record<
  Exclude<keyof typeof environmentSchema.shape, 'DATA_DIR'>,
  [wrong: string, right: string]
> = {
  PORT: ['eighty', '8080'],
  WORKER_PORT: ['eighty', '9100'],
  HOST: ['http://0.0.0.0:3000', '0.0.0.0'],
  PUBLIC_URL: ['hub.example', 'https://hub.example'],
  TRUST_PROXY: ['proxy.example', '10.0.0.0/8'],
  DATABASE_URL: ['mysql://db/switchyard', 'postgres://u:p@db/switchyard'],
  DATABASE_DIRECT_URL: ['mysql://db/switchyard', 'postgres://u:p@db/switchyard'],
  DATABASE_REPLICA_URL: ['mysql://db/switchyard', 'postgres://u:p@db-2/switchyard'],
  DATABASE_NAMED_STATEMENTS: ['on', '0'],
  S3_ENDPOINT: ['s3.example', url],
  S3_REGION: ['us east', 'eu-central-1'],
  S3_BUCKET: ['my/bucket', 'my-bucket'],
  S3_ACCESS_KEY_ID: ['two words', 'AKIA123'],
  S3_SECRET_ACCESS_KEY: ['sécret', 'a/b+c='],
  S3_FORCE_PATH_STYLE: ['true', '1'],
  BACKUP_TO: ['ftp://backup.example/hub', 's3://backups/hub'],
  BACKUP_KEY: ['a password', 'age1st8ewy2t5wsxrzyf06a6vfzuwx8ut2rgl6hk2qwv2h44f93p9p6sf26fa7'],
  BACKUP_EVERY_HOURS: ['25', '6'],
  BACKUP_AT: ['2 AM', '23:30'],
  BACKUP_KEEP: ['0', '30'],
  BACKUP_S3_ENDPOINT: ['s3.example', url],
  BACKUP_S3_REGION: ['us east', 'eu-central-1'],
  BACKUP_S3_ACCESS_KEY_ID: ['two words', 'AKIA123'],
  BACKUP_S3_SECRET_ACCESS_KEY: ['sécret', 'a/b+c='],
  BACKUP_S3_FORCE_PATH_STYLE: ['true', '1'],
  RETAIN_MESSAGES_DAYS: ['a week', '0'],
  RETAIN_IMPORTS_DAYS: ['-1', '30'],
  RETAIN_NOTICES_DAYS: ['1.5', '800'],
  FILE_SPACE_MB: ['1GB', '50'],
  UPLOADS_PER_DAY_MB: ['1GB', '200'],
  UPLOADS_PER_DAY: ['0', '20'],
  BOOKINGS_OPEN: ['0', '8'],
  BOOKING_NOTICE_HOURS: ['1.5', '24'],
  SMTP_URL: ['mail.example:25', 'smtp://mail.example:25'],
  SMTP_TLS: ['yes', '1'],
  MAIL_FROM: ['Switchyard', 'Switchyard <hello@hub.example>'],
  STIPEND_WEBHOOK_URL: ['ftp://pay.example', url],
  STIPEND_WEBHOOK_SECRET: ['short', 'sixteen-letters-x'],
  STIPEND_WEBHOOK_SECRET_OLD: ['short', 'sixteen-letters-y'],
  STIPEND_WEBHOOK_ALLOW_PRIVATE: ['yes', '1'],
  PUSH_ALLOW_PRIVATE: ['yes', '1'],
  SMS_PROVIDER: ['pigeon', 'http'],
  SMS_URL: ['sms.example', url],
  SMS_ACCOUNT: ['AC/../1', 'AC1'],
  SMS_TOKEN: ['two words', 'token'],
  SMS_FROM: ['+1 (212) 555', '+12125552368'],
  SMS_ALLOW_PRIVATE: ['on', '1'],
  DEMO: ['yes', '0'],
  SELF_ASSIGNED_ROLES: ['yes', '1'],
  REQUIRE_ADMIN_SECOND_FACTOR: ['yes', '0'],
  GOOGLE_CLIENT_ID: ['two words', 'id'],
  GOOGLE_CLIENT_SECRET: ['two words', 'secret'],
  MICROSOFT_CLIENT_ID: ['two words', 'id'],
  MICROSOFT_CLIENT_SECRET: ['two words', 'secret'],
  OIDC_ISSUER: ['login.example', url],
  OIDC_CLIENT_ID: ['two words', 'id'],
  OIDC_CLIENT_SECRET: ['two words', 'secret'],
  OIDC_LABEL: ['x'.repeat(61), 'Grid Academy'],
  SIGN_IN_BY_MAIL: ['yes', '1'],
  WALLET_SIGN_IN: ['yes', '1'],
  PASSKEYS: ['yes', '1'],
  RATE_LIMIT_FACTOR: ['much', '2.5'],
  AUTH_SECRET: ['short', 'x'.repeat(32)],
  AUTH_SECRET_OLD: ['short', 'y'.repeat(32)],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['collector:4318', 'http://collector:4318'],
  METRICS_TOKEN: ['short', 'sixteen-letters-x'],
  LOG_LEVEL: ['loud', 'warn'],
  ENROL_COHORT_ID: ['spring', uuid],
};
/** What must be set beside a setting whose name begins so. */
const companionsOf: Record<string, Record<string, string>> = {
  DATABASE: { DATABASE_URL: 'postgres://u:p@db/switchyard' },
  S3: { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' },
  BACKUP: { BACKUP_S3_ACCESS_KEY_ID: 'key', BACKUP_S3_SECRET_ACCESS_KEY: 'secret' },
  STIPEND: { STIPEND_WEBHOOK_URL: url, STIPEND_WEBHOOK_SECRET: 'sixteen-letters-x' },
  SMS: { SMS_PROVIDER: 'http', SMS_URL: url, SMS_TOKEN: 'token' },
  GOOGLE: { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' },
  MICROSOFT: { MICROSOFT_CLIENT_ID: 'id', MICROSOFT_CLIENT_SECRET: 'secret' },
  OIDC: { OIDC_ISSUER: url, OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'secret' },
};

describe('readConfig', () => {
  test('needs no setting at all', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://127.0.0.1:3000',
      dataDir: path.resolve('.data'),
      databaseUrl: null,
      s3: null,
      isDemo: true,
      signInProviders: { google: null, microsoft: null, oidc: null },
      rateLimitFactor: 1,
    });
  });

  test('the space of My Files is 1 GB unless told in whole megabytes', () => {
    expect(readConfig({}).fileSpaceInBytes).toBe(1024 ** 3);
    expect(readConfig({ FILE_SPACE_MB: '50' }).fileSpaceInBytes).toBe(50 * 1024 ** 2);
    for (const wrong of ['0', '-1', '1.5', '1GB']) {
      expect(() => readConfig({ FILE_SPACE_MB: wrong })).toThrow(
        'FILE_SPACE_MB must be a whole number of megabytes above 0',
      );
    }
  });

  test('refuses a factor of the limits that is none, or so large that they could not be counted', () => {
    expect(readConfig({ RATE_LIMIT_FACTOR: '0.1' }).rateLimitFactor).toBe(0.1);
    for (const wrong of ['0', '-1', 'much', 'Infinity', '1e7']) {
      expect(() => readConfig({ RATE_LIMIT_FACTOR: wrong })).toThrow(
        'RATE_LIMIT_FACTOR must be a number above 0, 1000000 at most',
      );
    }
  });

  test('has an address without a path: links in mails begin with it', () => {
    expect(readConfig({ PUBLIC_URL: 'https://hub.example/' }).publicUrl).toBe('https://hub.example');
    for (const wrong of ['https://hub.example/learn', 'https://hub.example/?a=1', 'https://user:word@hub.example']) {
      expect(() => readConfig({ PUBLIC_URL: wrong })).toThrow('PUBLIC_URL must be without a path');
    }
  });

  test('takes an empty variable as unset', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ', S3_BUCKET: '' })).toEqual(readConfig({}));
  });

  test('is a demo by itself only where nobody else can reach it: on loopback, without SMTP and with the embedded database', () => {
    const isDemo = (env: NodeJS.ProcessEnv) => readConfig(env).isDemo;
    for (const own of [
      {},
      { HOST: 'localhost' },
      { HOST: '::1' },
      { HOST: '127.8.9.1' },
      { PUBLIC_URL: 'http://localhost:3000' },
      { PUBLIC_URL: 'http://[::1]:3000' },
    ]) {
      expect([own, isDemo(own)]).toEqual([own, true]);
    }
    for (const real of [
      { PUBLIC_URL: 'https://hub.example' },
      { PUBLIC_URL: 'http://localhost.hub.example' },
      { PUBLIC_URL: 'http://10.0.0.7:3000' },
      { HOST: '0.0.0.0' },
      { HOST: '::' },
      { HOST: '192.168.1.7' },
      { SMTP_URL: 'smtp://mail.example:25' },
      { DATABASE_URL: 'postgres://u:p@db/switchyard' },
    ]) {
      expect([real, isDemo(real), isDemo({ ...real, DEMO: '1' })]).toEqual([real, false, true]);
    }
    expect(isDemo({ DEMO: '0' })).toBe(false);
  });

  test('shows mails to everybody on a demo only, and never where they are sent', () => {
    const SMTP_URL = 'smtp://mail.example:25';
    expect(readConfig({}).hasDemoMailbox).toBe(true);
    expect(readConfig({ DEMO: '0' }).hasDemoMailbox).toBe(false);
    expect(readConfig({ SMTP_URL, DEMO: '1' })).toMatchObject({ isDemo: true, hasDemoMailbox: false });
  });

  test('sends text messages by a provider that is wholly set up, and says which setting is missing', () => {
    expect(readConfig({}).sms).toBeNull();
    const http = { SMS_PROVIDER: 'http', SMS_URL: 'https://sms.example/send', SMS_TOKEN: 'token' };
    expect(readConfig(http).sms).toEqual({
      provider: 'http',
      url: 'https://sms.example/send',
      token: 'token',
      from: null,
      allowPrivate: false,
    });
    const twilio = { SMS_PROVIDER: 'twilio', SMS_ACCOUNT: 'AC1', SMS_TOKEN: 'token', SMS_FROM: '+12125552368' };
    expect(readConfig(twilio).sms).toMatchObject({ provider: 'twilio', url: 'https://api.twilio.com' });
    for (const [env, complaint] of [
      [{ ...http, SMS_URL: '' }, 'SMS_URL must be set when SMS_PROVIDER is http'],
      [{ ...twilio, SMS_FROM: '' }, 'SMS_FROM must be set when SMS_PROVIDER is twilio'],
      [{ ...twilio, SMS_ACCOUNT: 'AC/../1' }, 'SMS_ACCOUNT must be the SID of an account'],
      [{ ...http, SMS_PROVIDER: '' }, 'SMS_PROVIDER must be set when SMS_URL is set'],
      [{ ...http, SMS_PROVIDER: 'pigeon' }, 'SMS_PROVIDER must be http or twilio'],
    ] as const) {
      expect(() => readConfig(env)).toThrow(complaint);
    }
  });

  test('names every wrong variable with what it expects, in one message', () => {
    const env = { PORT: '70000', DEMO: 'yes', DATABASE_URL: 'mysql://x', S3_ENDPOINT: 'https://s3.example' };
    expect(() => readConfig(env)).toThrowErrorMatchingInlineSnapshot(`
      [Error: The settings are not valid:
        PORT must be a whole number from 0 to 65535
        DATABASE_URL must be an address that starts with postgres://
        DEMO must be 0 or 1
        S3_BUCKET must be set when S3_ENDPOINT is set
        S3_ACCESS_KEY_ID must be set when S3_ENDPOINT is set
        S3_SECRET_ACCESS_KEY must be set when S3_ENDPOINT is set
      .env.example explains them.]
    `);
  });

  test('a pooler needs both addresses, and without one both are the same', () => {
    const [pooled, direct] = ['postgres://u:p@pooler/switchyard', 'postgres://u:p@db/switchyard'];
    expect(readConfig({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct })).toMatchObject({
      databaseUrl: pooled,
      databaseDirectUrl: direct,
    });
    expect(readConfig({ DATABASE_URL: direct }).databaseDirectUrl).toBe(direct);
    expect(() => readConfig({ DATABASE_DIRECT_URL: direct })).toThrow(
      'DATABASE_URL must be set when DATABASE_DIRECT_URL is set',
    );
  });

  test('a replica follows a database that is named, and there is none unless it is set', () => {
    const [primary, replica] = ['postgres://u:p@db/switchyard', 'postgres://u:p@db-2/switchyard'];
    expect(readConfig({ DATABASE_URL: primary }).databaseReplicaUrl).toBeNull();
    expect(readConfig({ DATABASE_URL: primary, DATABASE_REPLICA_URL: replica }).databaseReplicaUrl).toBe(replica);
    expect(() => readConfig({ DATABASE_REPLICA_URL: replica })).toThrow(
      'DATABASE_URL must be set when DATABASE_REPLICA_URL is set',
    );
  });

  test('asks for a secret with the webhook address', () => {
    expect(() => readConfig({ STIPEND_WEBHOOK_URL: 'https://pay.example' })).toThrow(
      'STIPEND_WEBHOOK_SECRET must be set when STIPEND_WEBHOOK_URL is set',
    );
  });

  test('believes proxies on this machine, or those that are named', () => {
    expect(readConfig({}).trustedProxies).toEqual(['loopback']);
    expect(readConfig({ TRUST_PROXY: '10.0.0.7, 2001:db8::/32' }).trustedProxies).toEqual([
      '10.0.0.7',
      '2001:db8::/32',
    ]);
    for (const wrong of ['1', 'proxy.example', '10.0.0.7,', '0.0.0.0/0']) {
      expect(() => readConfig({ TRUST_PROXY: wrong })).toThrow(
        'TRUST_PROXY must hold addresses or ranges as 10.0.0.0/8, separated by commas',
      );
    }
  });

  test.each(Object.entries(wrongAndRight))('%s refuses what it cannot be, by its name', (name, [wrong, right]) => {
    expect(() => readConfig({ [name]: wrong })).toThrow(
      new RegExp(`^The settings are not valid:\\n(  .*\\n)*  ${name} must .{8,}\\n`),
    );
    const companions = companionsOf[name.split('_')[0] ?? ''] ?? {};
    expect(() => readConfig({ ...companions, [name]: right })).not.toThrow();
  });

  test('.env.example explains every variable, with the value that holds when it is not set', async () => {
    const lines = (await readFile('.env.example', 'utf8')).split('\n');
    const entries = lines.flatMap((line, index) => {
      const [, name = '', value = ''] = /^#? ?([A-Z][A-Z0-9_]+)=(.*)$/.exec(line) ?? [];
      return name ? [{ name, value, comment: lines[index - 1] ?? '' }] : [];
    });
    expect(entries.map(({ name }) => name).toSorted()).toEqual(Object.keys(environmentSchema.shape).toSorted());
    expect(entries.filter(({ comment }) => !/^# .{10,}\.$/.test(comment))).toEqual([]);

    const defaults = entries.filter(({ name, value }) => value !== '' && !['DATABASE_URL', 'SMTP_URL'].includes(name));
    expect(defaults.length).toBeGreaterThan(15);
    expect(
      readConfig(
        Object.fromEntries(
          defaults.filter(({ name }) => !name.startsWith('S3_')).map(({ name, value }) => [name, value]),
        ),
      ),
    ).toEqual(readConfig({}));
    const s3 = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' };
    const named = Object.fromEntries(
      entries.filter(({ name }) => /^S3_(REGION|FORCE)/.test(name)).map(({ name, value }) => [name, value]),
    );
    expect(readConfig({ ...s3, ...named })).toEqual(readConfig(s3));
  });
});

describe('loadAuthSecret', () => {
  test('keeps one generated secret, readable by its owner only, also when two ask at once', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-config-'));
    folders.push(dataDir);
    const [first, second] = await Promise.all([
      loadAuthSecret({ dataDir, authSecret: null }),
      loadAuthSecret({ dataDir, authSecret: null }),
    ]);
    expect(first.length).toBeGreaterThanOrEqual(32);
    expect(second).toBe(first);
    expect(await loadAuthSecret({ dataDir, authSecret: null })).toBe(first);
    expect((await stat(path.join(dataDir, 'auth-secret'))).mode & 0o777).toBe(0o600);
  });
});
