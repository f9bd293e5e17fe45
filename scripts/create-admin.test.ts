import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { sessionOf, signInWith } from '#test/support/sign-in.ts';

const run = promisify(execFile);
const names = ['--first-name', 'Ada', '--last-name', 'Min'];
const password = 'Turbine-Hall-9';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

/**
 * Runs `npm run admin:create` on the database, with the password in the environment. Standard input is not a terminal.
 */
async function createAdmin(options: string[], env: Record<string, string> = { ADMIN_PASSWORD: password }) {
  const child = run(process.execPath, ['scripts/create-admin.ts', ...options], {
    env: { PATH: process.env.PATH, DATABASE_URL: server.connectionString, ...env },
  });
  child.child.stdin?.end();
  return child.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

test('npm run admin:create makes an admin who signs in, and refuses what it cannot make one of', async () => {
  const made = await createAdmin(['--email', 'Ada@people.example', ...names]);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout).toContain('is an admin and can sign in now.');
  expect(made.stdout).not.toContain(password);
  const { cookie } = await signInWith(server, 'ada@people.example', password);
  const { user } = await sessionOf(server, { cookie });
  expect(user).toMatchObject({ email: 'ada@people.example', firstName: 'Ada', lastName: 'Min', role: 'admin' });

  const taken = await createAdmin(['--email', 'ada@people.example', ...names]);
  const untold = await createAdmin(['--email', 'untold@people.example', ...names], {});
  for (const { code, stdout, stderr } of [taken, untold]) {
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).not.toMatch(/\n\s+at /);
  }
  expect([taken.stderr, untold.stderr]).toEqual([
    expect.stringMatching(/already/),
    expect.stringContaining('The password, of 8 characters or more, is asked for'),
  ]);
  const admins = await server.db.selectFrom('profiles').select('email').where('role', '=', 'admin').execute();
  expect(admins).toEqual([{ email: 'ada@people.example' }]);
});
