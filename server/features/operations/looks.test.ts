import { randomBytes } from 'node:crypto';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FindingCode, findingCodes } from '#contract/operations.ts';
import { demoPassword } from '#server/sign-in/demo-accounts.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { buildGivenUpDelivery } from '#test/factories/deliveries.ts';
import { buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { buildStoredFile } from '#test/factories/stored-files.ts';
import { startTestApp, type TestApp, testConfig } from '#test/support/app.ts';
import { startMailServer } from '#test/support/mail-server.ts';
import { startPaymentSystem } from '#test/support/payment-system.ts';
import { startS3 } from '#test/support/s3.ts';
import { type Inspected, readInspected, readMachine } from './inspected.ts';
import { type LookedAt, looks, takeLooks } from './looks.ts';
import { refuseDangers } from './start-findings.ts';

const strong = () => randomBytes(32).toString('hex');
const publicHost = { HOST: '0.0.0.0', PUBLIC_URL: 'https://hub.example.org' };

let server: TestApp;
let sound: Inspected;
beforeAll(async () => {
  server = await startTestApp({ AUTH_SECRET: strong() });
  const { config, storage, secrets } = server.app;
  const read = await readInspected({ config, storage, secrets, db: server.db });
  // The test server is made to forget, and its role owns everything.
  const facts = {
    ...read.facts,
    forgetfulSettings: [],
    excessRights: [],
    admins: 1,
    mostConnections: 100,
    connections: 5,
  };
  sound = {
    ...read,
    config: testConfig({ SMTP_URL: 'smtp://127.0.0.1:25', AUTH_SECRET: strong(), DATA_DIR: config.dataDir }),
    secrets: read.secrets,
    facts,
    machine: { ...read.machine, freeBytes: 100 * 1024 ** 3 },
    backup: backupOf(new Date()),
  };
});
afterAll(() => server.close());

function backupOf(lastDoneAt: Date | null): Inspected['backup'] {
  const ended = { endedAt: lastDoneAt, outcome: lastDoneAt && 'done', sizeInBytes: 1, missingFiles: 0, error: null };
  return { startedAt: lastDoneAt ?? new Date(), place: '/backups', ...ended, lastDoneAt };
}

/** What the look says, as one line. Null if all is well. */
async function lineOf(code: LookedAt, changed: Partial<Inspected> = {}): Promise<string | null> {
  const answer = await looks[code].take({ ...sound, ...changed });
  return answer && `${answer.severity}: ${answer.problem} ${answer.remedy}`;
}
const factsWith = (facts: Partial<Inspected['facts']>) => ({ facts: { ...sound.facts, ...facts } });
const machineWith = (machine: Partial<Inspected['machine']>) => ({ machine: { ...sound.machine, ...machine } });
const configOf = (env: Record<string, string>) => {
  const { dataDir: DATA_DIR } = server.app.config;
  return { config: testConfig({ AUTH_SECRET: strong(), DATA_DIR, ...env }) };
};

test('the list is closed: every finding has one look, but those that need no database', () => {
  const withoutDatabase: FindingCode[] = ['database-away', 'database-schema'];
  expect([...Object.keys(looks), ...withoutDatabase].toSorted()).toEqual([...findingCodes].toSorted());
});

test('nothing is wrong with a sound installation, not even by a costly look at its files', async () => {
  expect(await takeLooks(sound, (_, code) => code !== 'mail-away')).toEqual([]);
});

test('a backup that is missing, and one that is older than two of its turns', async () => {
  const daily = configOf({ BACKUP_TO: '/backups', BACKUP_EVERY_HOURS: '24' });
  const hoursAgo = (hours: number) => ({ backup: backupOf(new Date(Date.now() - hours * 3_600_000)) });
  expect(await lineOf('backup-old', { backup: null })).toMatch(
    /^warning: There is no whole backup yet\. Set BACKUP_TO/,
  );
  expect(await lineOf('backup-old', { ...daily, backup: backupOf(null) })).toMatch(/^warning: .*Run npm run backup/);
  expect(await lineOf('backup-old', { ...daily, ...hoursAgo(47) })).toBeNull();
  expect(await lineOf('backup-old', { ...daily, ...hoursAgo(49) })).toMatch(/^error: The last whole backup is of /);
  expect(await lineOf('backup-old', { ...configOf({ DEMO: '1' }), backup: null })).toBeNull();
});

describe('the settings', () => {
  test('a demo that other machines reach, and a production without mail', async () => {
    expect(await lineOf('demo-offered', configOf({ DEMO: '1', ...publicHost }))).toMatch(
      /^warning: .*published password/,
    );
    expect(await lineOf('demo-offered', configOf({ DEMO: '1' }))).toBeNull();
    expect(await lineOf('mail-not-set-up', configOf({}))).toMatch(/^warning: No mail server is set up.*SMTP_URL/);
  });

  test('ways to other machines that anybody can listen on', async () => {
    const open = async (env: Record<string, string>) => {
      const line = await lineOf('neighbor-without-tls', configOf(env));
      return line && /^warning: Without TLS, .* by (.+?)\. Use https/.exec(line)?.[1];
    };
    expect(await open({ SMTP_URL: 'smtp://mail.example:25', SMTP_TLS: '0' })).toBe('SMTP_URL');
    for (const SMTP_URL of ['smtp://mail.example:25', 'smtps://mail.example'])
      expect(await open({ SMTP_URL })).toBeNull();
    expect(await open({ SMTP_URL: 'smtps://mail.example', SMTP_TLS: '0' })).toBeNull();
    expect(await open({ SMTP_URL: 'smtp://127.0.0.1:25' })).toBeNull();
    for (const end of ['', '?sslmode=require', '?sslmode=prefer']) {
      expect(await open({ DATABASE_URL: `postgres://u@db/x${end}` }), end).toBe('DATABASE_URL');
    }
    const safe = 'postgres://u@db/x?sslmode=verify-full';
    expect(await open({ DATABASE_URL: safe, DATABASE_DIRECT_URL: 'postgres://u@db/x' })).toBe('DATABASE_DIRECT_URL');
    expect(await open({ DATABASE_URL: safe, DATABASE_REPLICA_URL: 'postgres://u@db-2/x' })).toBe(
      'DATABASE_REPLICA_URL',
    );
    for (const DATABASE_URL of [safe, 'postgres://u@127.0.0.1/x', 'postgres://u@db/x?host=/run/postgresql']) {
      expect(await open({ DATABASE_URL }), DATABASE_URL).toBeNull();
    }
    const others = {
      ...{ STIPEND_WEBHOOK_URL: 'http://pay.example', STIPEND_WEBHOOK_SECRET: strong() },
      ...{ SMS_PROVIDER: 'http', SMS_URL: 'http://sms.example', SMS_TOKEN: strong() },
      ...{
        S3_ENDPOINT: 'http://s3.example',
        S3_BUCKET: 'files',
        S3_ACCESS_KEY_ID: 'k',
        S3_SECRET_ACCESS_KEY: strong(),
      },
    };
    expect(await open(others)).toBe('STIPEND_WEBHOOK_URL, SMS_URL, S3_ENDPOINT');
  });

  test('secrets that can be guessed, that are shared, or that stay on one machine', async () => {
    expect(await lineOf('secret-weak', { secrets: ['x'.repeat(40)] })).toMatch(/^error: AUTH_SECRET can be guessed/);
    expect(await lineOf('secret-weak', { secrets: ['please-change-me-before-you-go-live-0192'] })).toMatch(/^error/);
    const webhook = { STIPEND_WEBHOOK_URL: 'https://pay.example', STIPEND_WEBHOOK_SECRET: 'supersecret12345' };
    expect(await lineOf('secret-weak', configOf(webhook))).toMatch(/^warning: STIPEND_WEBHOOK_SECRET can be guessed/);
    expect(await lineOf('secret-weak', configOf({ DATABASE_URL: 'postgres://u:password@db/x' }))).toMatch(
      /^warning: The password in DATABASE_URL can be guessed/,
    );
    const secret = strong();
    expect(await lineOf('secret-shared', { ...configOf({ METRICS_TOKEN: secret }), secrets: [secret] })).toMatch(
      /^error: AUTH_SECRET and METRICS_TOKEN have the same value/,
    );
    const alone = { config: testConfig({ DATABASE_URL: 'postgres://u@db/x' }) };
    expect(await lineOf('secret-on-one-machine', alone)).toMatch(/^warning: AUTH_SECRET is not set/);
  });

  test('an address without https, and a proxy that is not trusted', async () => {
    const plain = configOf({ PUBLIC_URL: 'http://hub.example.org' });
    expect(await lineOf('address-without-https', plain)).toMatch(/^error: People reach Switchyard at http:\/\/hub/);
    expect(await lineOf('address-without-https', configOf(publicHost))).toBeNull();
    expect(await lineOf('proxy-not-trusted', configOf(publicHost))).toMatch(/^warning: A proxy .* TRUST_PROXY/);
    expect(await lineOf('proxy-not-trusted', configOf({ ...publicHost, TRUST_PROXY: '10.0.0.7' }))).toBeNull();
    expect(await lineOf('proxy-not-trusted', configOf({ ...publicHost, HOST: '127.0.0.1' }))).toBeNull();
  });
});

describe('the database', () => {
  test('its clock, durability, connections, rights and extensions', async () => {
    expect(await lineOf('clock-off', factsWith({ clockAheadSeconds: -12 }))).toMatch(/^warning: .* 12 seconds behind/);
    expect(await lineOf('clock-off', factsWith({ clockAheadSeconds: 90 }))).toMatch(/^error: .* 90 seconds ahead of/);
    expect(await lineOf('database-forgets', factsWith({ forgetfulSettings: ['fsync=off'] }))).toMatch(
      /^error: .*fsync=off/,
    );
    expect(await lineOf('database-crowded', factsWith({ connections: 95 }))).toMatch(/^error: 95 of 100 connections/);
    expect(await lineOf('database-crowded', factsWith({ mostConnections: 20 }))).toMatch(
      /^warning: The database takes 20/,
    );
    expect(await lineOf('database-extensions', factsWith({ oldExtensions: ['citext 1.4 → 1.6'] }))).toMatch(
      /^warning: .*citext 1\.4 → 1\.6\. Run: alter extension/,
    );
  });

  test('a replica that is away, and one that follows nobody', async () => {
    const replica = (url: string) => configOf({ DATABASE_URL: server.connectionString, DATABASE_REPLICA_URL: url });
    expect(await lineOf('replica-unused', configOf({ DATABASE_URL: server.connectionString }))).toBeNull();
    expect(await lineOf('replica-unused', replica('postgres://nobody@127.0.0.1:1/away'))).toMatch(
      /^error: The replica does not answer, so lists are read at the primary\. Correct DATABASE_REPLICA_URL/,
    );
    expect(await lineOf('replica-unused', replica(server.connectionString))).toMatch(
      /^error: The replica follows no other database/,
    );
  });

  test('the facts are read of the real one: the role of the tests is a superuser that forgets', async () => {
    const read = await readInspected({ ...sound, config: server.app.config });
    expect(read.facts.excessRights).toContain('is a superuser');
    expect(read.facts.forgetfulSettings).toContain('fsync=off');
    expect(await lineOf('database-role', read)).toMatch(/^warning: The role in DATABASE_URL .* is a superuser/);
    expect(await lineOf('database-role', { ...read, ...configOf({}) })).toBeNull();
    expect(Math.abs(read.facts.clockAheadSeconds)).toBeLessThan(60);
  });
});

describe('people and work', () => {
  test('nobody is admin, an admin without a second factor, and demo accounts with the published password', async () => {
    const fresh = await startTestApp();
    const inspect = () => readInspected({ ...sound, config: fresh.app.config, db: fresh.db });
    expect(await lineOf('admin-missing', await inspect())).toMatch(
      /^warning: Nobody is an admin yet\. Run npm run admin:create/,
    );
    const admin = await buildAdmin(fresh.db);
    expect(await lineOf('admin-missing', await inspect())).toBeNull();
    expect(await lineOf('admin-without-second-factor', await inspect())).toMatch(/^warning: 1 admin has neither/);
    await fresh.db
      .insertInto('auth.passkey')
      .values({ userId: admin.id, name: 'Key', credentialId: 'c', publicKey: Buffer.from('key'), counter: 0 })
      .execute();
    expect(await lineOf('admin-without-second-factor', await inspect())).toBeNull();

    const person = { firstName: 'Avery', lastName: 'Cas', trackType: null, role: 'admin' as const };
    expect(await lineOf('demo-accounts-open', await inspect())).toBeNull();
    await createSignInWithPassword(fresh.db, { ...person, email: 'admin@demo.example', password: demoPassword });
    expect(await lineOf('demo-accounts-open', await inspect())).toMatch(
      /^error: .*published password.*npm run demo:close/,
    );
    await fresh.close();
  });

  test('the disk, files that others read, jobs that stand', async () => {
    expect(await lineOf('disk-full', machineWith({ freeBytes: 3 * 1024 ** 3 }))).toMatch(/^warning: .* 3\.0 GB left/);
    expect(await lineOf('disk-full', machineWith({ freeBytes: 1024 ** 2 }))).toMatch(/^error: /);
    const { dataDir } = server.app.config;
    const file = path.join(dataDir, 'auth-secret');
    await writeFile(file, 'secret', { mode: 0o600 });
    expect((await readMachine({ dataDir })).readableFiles).not.toContain(file);
    await chmod(file, 0o644);
    expect(await lineOf('files-readable', { machine: await readMachine({ dataDir }) })).toContain(`chmod go= ${file}`);
    await rm(file);
    expect(await lineOf('files-readable', machineWith({ readableFiles: ['/srv/hub/.env'] }))).toMatch(/^warning: /);
    const longestWait = (seconds: number) => factsWith({ longestWait: { queue: 'send-mail', seconds } });
    expect(await lineOf('jobs-stand', longestWait(1200))).toMatch(
      /^warning: A job of send-mail has been waiting for 20 m/,
    );
    expect(await lineOf('jobs-stand', longestWait(7200))).toMatch(/^error: /);
    expect(await lineOf('jobs-stand', longestWait(30))).toBeNull();
  });

  test('what was given up, and the ledger', async () => {
    await buildGivenUpDelivery(server.db);
    const read = await readInspected({ ...sound, db: server.db });
    expect(await lineOf('messages-undelivered', read)).toMatch(/^warning: 1 message was given up/);
    expect(await lineOf('stipends-not-handed-over', factsWith({ givenUpHandovers: 2 }))).toMatch(/^error: 2 batches/);
    await server.db
      .insertInto('ledgerVerifications')
      .values({ lines: 9, lastHash: 'h', problems: 2, differences: 0, firstProblem: 'Line 4 is missing.' })
      .execute();
    const wrong = await readInspected({ ...sound, db: server.db });
    expect(await lineOf('ledger-wrong', wrong)).toMatch(/^error: The ledger has 2 problems.*Line 4 is missing\./);
    expect(await lineOf('ledger-unverified', wrong)).toBeNull();
    const longAgo = new Date(Date.now() - 8 * 24 * 3_600_000).toISOString();
    const never = await lineOf('ledger-unverified', factsWith({ ledger: null, ledgerBegan: longAgo }));
    expect(never).toMatch(/^warning: The ledger was never verified\. The oldest entry is 8 days old\./);
    const ledger = wrong.facts.ledger && { ...wrong.facts.ledger, verifiedAt: longAgo };
    expect(await lineOf('ledger-unverified', factsWith({ ledger }))).toMatch(
      /^warning: Nobody has verified the ledger for 8 days\./,
    );
    await server.db.deleteFrom('ledgerVerifications').execute();
    await server.db.deleteFrom('deliveries').execute();
  });
});

describe('what is reached, and what is stored', () => {
  test('a mail server, a payment system, an SMS provider and a push service that are away', async () => {
    const mail = await startMailServer();
    expect(await lineOf('mail-away', configOf({ SMTP_URL: mail.url }))).toBeNull();
    await mail.close();
    expect(await lineOf('mail-away', configOf({ SMTP_URL: mail.url }))).toMatch(
      /^error: The mail server cannot be reached/,
    );

    const receiver = await startPaymentSystem();
    const webhook = { STIPEND_WEBHOOK_URL: receiver.url, STIPEND_WEBHOOK_SECRET: strong() };
    const allowed = { ...webhook, STIPEND_WEBHOOK_ALLOW_PRIVATE: '1' };
    expect(await lineOf('payment-system-away', configOf(allowed))).toBeNull();
    expect(await lineOf('payment-system-away', configOf(webhook))).toMatch(/^error: .*private network/);
    await receiver.close();
    expect(await lineOf('payment-system-away', configOf(allowed))).toMatch(/^error: .*ECONNREFUSED/);

    const sms = { SMS_PROVIDER: 'http', SMS_URL: receiver.url, SMS_TOKEN: 'token', SMS_ALLOW_PRIVATE: '1' };
    expect(await lineOf('sms-away', configOf(sms))).toMatch(/^error: The SMS provider cannot be reached/);

    const { id } = await buildParticipant(server.db);
    await server.db
      .insertInto('pushSubscriptions')
      .values({ userId: id, endpoint: `${receiver.url}/abc`, p256dh: 'k', authSecret: 's' })
      .execute();
    expect(await lineOf('push-away', configOf({ PUSH_ALLOW_PRIVATE: '1' }))).toMatch(/^error: The push service http/);
    await server.db.deleteFrom('pushSubscriptions').execute();
  });

  test('a storage that takes no write', async () => {
    const s3 = await startS3();
    const away = await startTestApp(s3.env);
    const parts = { storage: away.app.storage, config: away.app.config };
    expect(await lineOf('storage-away', parts)).toBeNull();
    s3.failWith('AccessDenied');
    expect(await lineOf('storage-away', parts)).toMatch(/^error: The storage of files takes no write.*S3_/);
    await away.close();
    await s3.close();
  });

  test('files without rows and rows without files are counted and named, and states of uploads are no files', async () => {
    const { id: ownerId } = await buildParticipant(server.db);
    const folder = path.join(server.app.config.dataDir, 'files');
    const whole = await buildStoredFile(server.db, { ownerId });
    await mkdir(path.join(folder, ownerId), { recursive: true });
    await writeFile(path.join(folder, whole.path), 'bytes');
    await writeFile(path.join(folder, `${whole.path}.json`), '{}');
    const begun = await buildStoredFile(server.db, { ownerId, completedAt: null });
    await writeFile(path.join(folder, begun.path), 'by');
    expect(await lineOf('files-missing')).toBeNull();
    expect(await lineOf('files-without-owner')).toBeNull();

    const gone = await buildStoredFile(server.db, { ownerId });
    await writeFile(path.join(folder, ownerId, 'nobody-knows'), 'bytes');
    expect(await lineOf('files-missing')).toBe(
      `error: 1 file that people uploaded is gone from the storage, such as ${gone.path}. Restore them from a backup.`,
    );
    expect(await lineOf('files-without-owner')).toContain(
      `1 file that nothing refers to, such as ${ownerId}/nobody-knows`,
    );
    await rm(path.join(folder, ownerId), { recursive: true });
    await server.db.deleteFrom('storedFiles').execute();
  });
});

describe('the start', () => {
  test('is refused if anybody could sign in with a guessed secret, but not on a machine of one', async () => {
    const { db, storage } = server.app;
    const secret = 'x'.repeat(40);
    const start = (env: Record<string, string>) => refuseDangers({ db, storage, secrets: [secret], ...configOf(env) });
    await expect(start(publicHost)).rejects.toThrow(/^AUTH_SECRET can be guessed/);
    expect(await start({})).toEqual([expect.stringMatching(/^error: AUTH_SECRET can be guessed/), expect.anything()]);
  });

  test('prints its errors and not its warnings', async () => {
    const { db, storage } = server.app;
    const { config } = configOf({ PUBLIC_URL: 'http://hub.example.org' });
    const lines = await refuseDangers({ db, storage, secrets: [strong()], config });
    expect(lines).toContainEqual(
      expect.stringMatching(/^error: People reach Switchyard at http.*npm run doctor says more\.$/),
    );
    expect(lines.join('\n')).not.toContain('No mail server');
  });
});
