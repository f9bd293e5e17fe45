import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listAuditLog } from '#contract/audit.ts';
import { listCoachSessions } from '#contract/coach-sessions.ts';
import { readHealth } from '#contract/health.ts';
import { noteFailedStatement, noteStatement, withLog } from '#server/platform/current-work.ts';
import { buildAdmin, buildCoach } from '#test/factories/people.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { problemOf } from '#test/support/problem-of.ts';

const lines: string[] = [];
let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ LOG_LEVEL: 'info' }, { write: (line) => void lines.push(line) });
});
afterAll(() => server.close());

async function startCollector() {
  const received: string[] = [];
  const collector = createServer(async (request, response) => {
    received.push(`${request.url} ${await text(request)}`);
    response.end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received, close: () => collector.close() };
}

test('with an endpoint, each request is a span by the name of its endpoint and its id, without address and words of errors', async () => {
  const collector = await startCollector();
  const traced = await openTestApp(server.connectionString, {
    DATA_DIR: server.app.config.dataDir,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  const anybody = await traced.as(null);
  await anybody.call(readHealth);
  const { instance } = await problemOf(await anybody.fetch('/calendar/a-secret-address.ics?token=hidden'));
  await traced.close();
  const sent = collector.received.join('\n');
  collector.close();
  expect(sent).toContain('/v1/traces');
  expect(sent).toContain('"readHealth"');
  expect(sent).toContain(String(instance));
  expect(sent).not.toMatch(/a-secret-address|hidden|There is nothing/);
});

test('without one, the packages that trace are not loaded', () => {
  const program = `
    const { createRequire } = await import('node:module');
    await import('#server/app.ts');
    console.log(Object.keys(createRequire(import.meta.url).cache).filter((file) => /fastify.otel|sdk-trace/.test(file)));`;
  const out = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  expect(out.trim()).toBe('[]');
});

test('the id goes from the refusal that a person reads to the lines of the log, the failed statement among them', async () => {
  const admin = await server.as(await buildAdmin(server.db));
  await sql`alter table audit_log rename to audit_log_away`.execute(server.db);
  lines.length = 0;
  const { problem } = await admin.refused(listAuditLog);
  await sql`alter table audit_log_away rename to audit_log`.execute(server.db);
  const id = problem.instance ?? 'none';
  expect(problem.detail).toContain(`tell whoever runs Switchyard this reference: ${id.slice(-12)}.`);
  const own = await vi.waitFor(() => {
    const found = lines.filter((line) => line.includes(id)).map((line) => JSON.parse(line) as { msg: string });
    expect(found.map(({ msg }) => msg)).toEqual(['a statement failed', 'failed', 'answered']);
    return found;
  });
  expect(own[0]).toMatchObject({ code: '42P01', statement: expect.stringMatching(/^select "entry"\."id"/) });
});

test('a person who is no admin gives the reference of a failure to an admin', async () => {
  const coach = await server.as(await buildCoach(server.db));
  await sql`alter table coaching_sessions rename to coaching_sessions_away`.execute(server.db);
  const { problem } = await coach.refused(listCoachSessions);
  await sql`alter table coaching_sessions_away rename to coaching_sessions`.execute(server.db);
  expect(problem.detail).toContain(`tell an admin this reference: ${problem.instance?.slice(-12)}.`);
});

test('a statement that took a second is written down to the log of its request or job, in one line', () => {
  const written: unknown[] = [];
  const log = { warn: (facts: object, message: string) => void written.push([message, facts]) };
  const text = 'select *\n  from profiles where id = $1';
  withLog(log, () => {
    noteStatement(text, 999);
    noteStatement(text, 1000.4);
    noteStatement('x'.repeat(1000), 2000);
    noteFailedStatement(text, Object.assign(new Error('duplicate key'), { code: '23505' }));
  });
  noteStatement(text, 5000);
  expect(written).toEqual([
    ['a slow statement', { statement: 'select * from profiles where id = $1', ms: 1000 }],
    ['a slow statement', { statement: 'x'.repeat(300), ms: 2000 }],
  ]);
});
