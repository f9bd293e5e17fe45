import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#test/support/app.ts';

let server: TestApp;
let folder: string;
beforeAll(async () => {
  server = await startTestApp();
  folder = await mkdtemp(path.join(tmpdir(), 'switchyard-wrong-use-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await server.close();
});

/** The file that each command of package.json runs. */
const commands = {
  start: 'scripts/start.ts',
  worker: 'server/worker.ts',
  dev: 'scripts/dev.ts',
  test: 'scripts/test.ts',
  check: 'scripts/check.ts',
  bench: 'bench/run.ts',
  screenshots: 'scripts/screenshots.ts',
  words: 'scripts/words.ts',
  seed: 'scripts/seed.ts',
  requirements: 'scripts/requirements.ts',
  'admin:create': 'scripts/create-admin.ts',
  'demo:close': 'scripts/demo-close.ts',
  'alerts:check': 'scripts/alerts-check.ts',
  drill: 'scripts/drill.ts',
  simulate: 'scripts/simulate.ts',
  mutation: 'scripts/mutation.ts',
  faults: 'scripts/faults.ts',
  doctor: 'scripts/doctor.ts',
  'ledger:verify': 'scripts/ledger-verify.ts',
  backup: 'scripts/backup.ts',
  restore: 'scripts/restore.ts',
  'push:renew': 'scripts/push-renew.ts',
  retention: 'scripts/retention.ts',
  release: 'scripts/release.ts',
  'db:migrate': 'scripts/migrate.ts',
  'db:types': 'scripts/generate-schema-types.ts',
};
/** What npm and Playwright run themselves, and the tests in full. */
const ofOthers = ['outdated', 'tasks', 'test:deep'];

/** Runs a command in a data folder that is not there. */
function run(file: string, args: string[], settings: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, DATA_DIR: path.join(folder, 'data'), ...settings };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [file, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

/** Says what is wrong, without a stack, and makes nothing. */
async function expectRefused(file: string, args: string[], sentence: RegExp, settings?: Record<string, string>) {
  const { code, stdout, stderr } = await run(file, args, settings);
  expect({ code, stdout, stderr }).toEqual({
    code: expect.toSatisfy((given) => given === 1 || given === 2),
    stdout: '',
    stderr: expect.stringMatching(sentence),
  });
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(await readdir(folder)).toEqual([]);
}

test('every command of package.json is in the list', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
  const named = Object.keys(scripts).filter((name) => !name.startsWith('pre'));
  expect(named.toSorted()).toEqual([...Object.keys(commands), ...ofOthers].toSorted());
  for (const [name, file] of Object.entries(commands)) expect(scripts[name]).toContain(` ${file}`);
});

test.concurrent.each(Object.entries(commands))(
  'npm run %s says how it is used if it does not know an argument',
  (_name, file) => expectRefused(file, ['--sideways'], /^(There is no part called --sideways\.\n)?Usage: npm /),
);

test.concurrent.each<[file: string, args: string[], sentence: RegExp]>([
  ['bench/run.ts', ['nothing'], /^No scenario is called nothing\.$/m],
  ['bench/run.ts', ['--table', '--people', 'few'], /^People are whole numbers from 100\.$/m],
  ['bench/run.ts', ['--against', 'nowhere'], /^There is no commit nowhere\.$/m],
  ['scripts/test.ts', ['server'], /^Usage: npm test /],
  ['scripts/test.ts', ['--changed', 'nowhere'], /^There is no version called nowhere in the repository\.$/m],
  ['scripts/words.ts', ['nowhere.ts'], /^No file with texts has nowhere\.ts in its path\.$/m],
  ['scripts/requirements.ts', ['--area', 'NONE'], /^There is no area called NONE\.$/m],
  ['scripts/requirements.ts', ['--min', 'most'], /^--min is a share in percent, as 95\.$/m],
  ['scripts/seed.ts', ['--participants', '0'], /^Usage: npm run seed/],
  ['scripts/release.ts', ['--version', 'next'], /^next is no version such as 1\.2\.3\./],
  ['scripts/ledger-verify.ts', ['yesterday'], /^Expected <line>:<hash> of an earlier run/],
  ['scripts/ledger-verify.ts', ['1', '2'], /^Usage: npm run ledger:verify /],
  ['scripts/migrate.ts', ['0001'], /^Usage: npm run db:migrate$/m],
  ['scripts/migrate.ts', ['--to', '0001'], /^Usage: npm run db:migrate$/m],
])('%s refuses %j', (file, args, sentence) => expectRefused(file, args, sentence));

const onInstance: [file: string, args: string[]][] = [
  ['scripts/create-admin.ts', ['--email', 'ada@people.example', '--first-name', 'Ada', '--last-name', 'Min']],
  ['scripts/demo-close.ts', []],
  ['scripts/ledger-verify.ts', []],
  ['scripts/push-renew.ts', []],
  ['scripts/retention.ts', ['--apply']],
];
const password = { ADMIN_PASSWORD: 'Turbine-Hall-9' };

test.concurrent.each(onInstance)('%s refuses a folder without an instance', (file, args) =>
  expectRefused(file, args, /^There is no database in \S+: DATA_DIR names another\.$/m, password),
);

test.concurrent.each(onInstance)('%s refuses a database that is away', (file, args) =>
  expectRefused(file, args, /ECONNREFUSED/, { ...password, DATABASE_URL: 'postgres://hub:secret@127.0.0.1:1/hub' }),
);

test.each(onInstance)('%s refuses a database of something else, and leaves it alone', async (file, args) => {
  const other = new URL(server.connectionString);
  other.pathname = '/postgres';
  const lacks = /^The database lacks \S+ and \d+ more: start this build once, or run npm run db:migrate\.$/m;
  await expectRefused(file, args, lacks, { ...password, DATABASE_URL: other.href });
});

test.concurrent.each(onInstance)('%s refuses settings that are not valid', (file, args) =>
  expectRefused(file, args, /^The settings are not valid:\n {2}PORT must be/, { ...password, PORT: 'http' }),
);
