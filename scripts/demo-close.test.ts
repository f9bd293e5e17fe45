import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoPassword } from '#server/sign-in/demo-accounts.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { killServerProcesses, startServerProcess } from '#test/support/server-process.ts';
import { signInWith } from '#test/support/sign-in.ts';

const run = promisify(execFile);

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(async () => {
  killServerProcesses();
  await server.close();
});

async function runScript(file: string) {
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    DATABASE_URL: server.connectionString,
    DATA_DIR: server.app.config.dataDir,
    LOG_LEVEL: 'silent',
  };
  return run(process.execPath, [file], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

test('what was a demo starts as a real instance only after npm run demo:close, with and without web', async () => {
  const admin = { email: 'admin@demo.example', firstName: 'Avery', lastName: 'Castellanos', role: 'admin' as const };
  await createSignInWithPassword(server.db, { ...admin, trackType: null, password: demoPassword });
  for (const file of ['server/main.ts', 'server/worker.ts']) {
    const refused = await runScript(file);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('npm run demo:close');
    expect(refused.stderr).not.toMatch(/\n\s+at /);
  }
  expect(await runScript('scripts/demo-close.ts')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/closed: 1\..*\n.*npm run admin:create/),
    stderr: '',
  });
  const [url] = await startServerProcess(server);
  expect((await signInWith({ url }, admin.email, demoPassword)).status).toBe(401);
  expect(await runScript('scripts/demo-close.ts')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/closed: 0\./),
  });
});
