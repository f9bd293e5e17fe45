import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signIn } from '#contract/accounts.ts';
import { readHealth } from '#contract/health.ts';
import { listenLive } from '#contract/live.ts';
import { readMetrics } from '#contract/operations.ts';
import { handOverWeek } from '#contract/payments.ts';
import { dropDelivery, recordTry } from '#server/features/deliveries/delivery-state.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { sendMailQueue } from '#server/platform/mailer.ts';
import { buildGivenUpDelivery } from '#test/factories/deliveries.ts';
import { buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { startPayingApp } from '#test/support/paying-app.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { uploadFile } from '#test/support/uploads.ts';

const token = 'a-token-for-prometheus';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ METRICS_TOKEN: token });
});
afterAll(() => server.close());

async function read(headers: Record<string, string> = {}, { url } = server) {
  const answer = await fetch(`${url}${readMetrics.path}`, { headers });
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
}

/** The value of a series by its whole name. Zero if nothing was counted yet. */
function numberOf(text: string, series: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length) ?? 0);
}

describe('who reads them', () => {
  test('this machine does, in the text format of Prometheus, and nobody that a proxy brings', async () => {
    const own = await read();
    expect(own.status).toBe(200);
    expect(own.type).toBe('text/plain; version=0.0.4; charset=utf-8');
    for (const header of ['X-Forwarded-For', 'x-real-ip', 'Forwarded', 'Via', 'x-forwarded-host']) {
      expect((await read({ [header]: '127.0.0.1' })).status).toBe(404);
    }
    // A hook drops an unreadable address. The request came through somebody all the same.
    expect((await read({ 'x-forwarded-for': 'nobody knows' })).status).toBe(404);
  });

  test('a token opens them from anywhere, and a wrong one closes them even here', async () => {
    const behindProxy = { 'x-forwarded-for': '203.0.113.9' };
    expect((await read({ ...behindProxy, authorization: `Bearer ${token}` })).status).toBe(200);
    for (const authorization of [`Bearer ${token}x`, 'Bearer ', token, `Basic ${token}`]) {
      expect((await read({ authorization })).status).toBe(404);
    }
    const without = await openTestApp(server.connectionString, { DATA_DIR: server.app.config.dataDir });
    for (const authorization of ['Bearer ', 'Bearer null', 'Bearer undefined']) {
      expect((await read({ authorization }, without)).status).toBe(404);
    }
    await without.close();
  });

  test('to others it is as if nothing were there', async () => {
    const anybody = await server.as(null);
    const refused = await anybody.fetch(readMetrics.path, { headers: { via: '1.1 proxy' } });
    const unknown = await anybody.fetch('/api/nothing-here');
    const { instance, ...problem } = await problemOf(unknown);
    expect(await problemOf(refused)).toEqual({ ...problem, instance: expect.not.stringMatching(instance ?? 'none') });
  });

  test('what lies below is not a page of the app either', async () => {
    for (const path of ['/metrics/', '/metrics/anything']) {
      expect((await (await server.as(null)).fetch(path)).status).toBe(404);
    }
  });

  test('another machine is refused by the address of its connection', async () => {
    const { http } = server.app;
    const statusFrom = async (remoteAddress: string) =>
      (await http.inject({ url: readMetrics.path, remoteAddress })).statusCode;
    for (const outside of ['203.0.113.9', '10.0.0.7', '2001:db8::1', '::ffff:10.0.0.7', '128.0.0.1']) {
      expect(await statusFrom(outside)).toBe(404);
    }
    for (const own of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1']) expect(await statusFrom(own)).toBe(200);
  });
});

describe('what they tell', () => {
  test('requests by the name of the endpoint and the status, never by their address', async () => {
    const anybody = await server.as(null);
    const before = (await read()).text;
    await anybody.call(readHealth);
    await anybody.fetch('/api/people/0190b7a0-0000-7000-8000-000000000001?secret=yes');
    await anybody.fetch('/made-up/address');
    await anybody.fetch('/api/made-up');
    const after = await vi.waitFor(async () => {
      const { text } = await read();
      expect(numberOf(text, 'switchyard_requests_total{endpoint="page",status="404"}')).toBeGreaterThan(
        numberOf(before, 'switchyard_requests_total{endpoint="page",status="404"}'),
      );
      return text;
    });
    const health = 'switchyard_requests_total{endpoint="readHealth",status="200"}';
    expect(numberOf(after, health) - numberOf(before, health)).toBe(1);
    const seconds = 'switchyard_request_duration_seconds_count{endpoint="readHealth"}';
    expect(numberOf(after, seconds) - numberOf(before, seconds)).toBe(1);
    expect(after).not.toMatch(/made-up|0190b7a0|secret/);
  });

  test('a live stream that its browser closes, once and with its endpoint', async () => {
    const person = await server.as(await buildAdmin(server.db));
    const left = 'switchyard_requests_total{endpoint="listenLive",status="left"}';
    const { text: before } = await read();
    const stream = new AbortController();
    await person.fetch('/api/live', { signal: stream.signal });
    stream.abort();
    await vi.waitFor(async () => {
      const { text: after } = await read();
      expect(numberOf(after, left) - numberOf(before, left)).toBe(1);
    });
  });

  test('statements, the pool, the event loop and live streams', async () => {
    const person = await server.as(await buildAdmin(server.db));
    const { text } = await read();
    const streams = numberOf(text, 'switchyard_live_streams');
    expect(numberOf(text, 'switchyard_statement_duration_seconds_count')).toBeGreaterThan(0);
    expect(text).toMatch(/^switchyard_database_pool_connections\{state="used"\} \d/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_seconds /m);
    const leaving = new AbortController();
    await person.fetch(listenLive.path, { signal: leaving.signal });
    expect(numberOf((await read()).text, 'switchyard_live_streams')).toBe(streams + 1);
    leaving.abort();
    await vi.waitFor(async () => expect(numberOf((await read()).text, 'switchyard_live_streams')).toBe(streams));
  });

  test('jobs by queue with the age of the oldest, what waits and was given up, and the ledger', async () => {
    const fresh = await startTestApp();
    const { db } = fresh;
    await enqueue(db, sendMailQueue, { deliveryId: '0190b7a0-0000-7000-8000-000000000001' });
    await enqueue(
      db,
      sendMailQueue,
      { deliveryId: '0190b7a0-0000-7000-8000-000000000002' },
      { startAfter: new Date(Date.now() + 3_600_000) },
    );
    await buildGivenUpDelivery(db);
    await db
      .insertInto('ledgerVerifications')
      .values({ lines: 3, lastHash: 'abc', problems: 1, differences: 0, firstProblem: 'Line 2 is missing.' })
      .execute();
    const { text } = await read({}, fresh);
    expect(numberOf(text, 'switchyard_database_up')).toBe(1);
    expect(numberOf(text, 'switchyard_database_size_bytes')).toBeGreaterThan(1_000_000);
    expect(numberOf(text, 'switchyard_jobs_waiting{queue="send-mail"}')).toBe(1);
    expect(text).toMatch(/^switchyard_job_oldest_seconds\{queue="send-mail"\} \d/m);
    expect(numberOf(text, 'switchyard_deliveries{channel="mail",state="given_up"}')).toBe(1);
    expect(numberOf(text, 'switchyard_ledger_problems')).toBe(1);
    expect(text).toMatch(/^switchyard_ledger_verified_age_seconds [\d.]+$/m);
    await fresh.close();
  });

  test('refused sign-ins, uploads and runs of jobs with their outcome', async () => {
    const anybody = await server.as(null);
    const refused = 'switchyard_sign_ins_refused_total{of="sign_in",way="password"}';
    const completed = 'switchyard_jobs_total{queue="refused-sign-in",outcome="completed"}';
    const before = (await read()).text;
    await server.runJobs();
    const body = { email: 'nobody@people.example', password: 'Not-The-Password-1' };
    await anybody.refused(signIn, { body });
    await vi.waitFor(async () => {
      const { text } = await read();
      expect(numberOf(text, refused) - numberOf(before, refused)).toBe(1);
      expect(numberOf(text, completed) - numberOf(before, completed)).toBe(1);
    });
  });

  test('deliveries by channel and outcome, uploads by step, and tries of hand-overs', async () => {
    const { app: paying, receiver } = await startPayingApp();
    const { db } = paying;
    const series = [
      'switchyard_deliveries_total{channel="sms",outcome="sent"}',
      'switchyard_deliveries_total{channel="mail",outcome="dropped"}',
      'switchyard_uploads_total{step="begun"}',
      'switchyard_uploads_total{step="completed"}',
      'switchyard_handover_tries_total{outcome="sent"}',
    ];
    const countsOf = async () => {
      const { text } = await read({}, paying);
      return series.map((name) => numberOf(text, name));
    };
    const before = await countsOf();

    const text = await buildGivenUpDelivery(db, { channel: 'sms', status: 'queued', givenUpAt: null, attempts: 1 });
    await recordTry(db, { id: text.id, attempts: 1 }, 'sent', null);
    // The delivery is sent already, so the second word about it counts for nothing.
    await recordTry(db, { id: text.id, attempts: 1 }, 'sent', null);
    const mail = await buildGivenUpDelivery(db, { status: 'queued', givenUpAt: null });
    await dropDelivery(db, mail.id, 'It was read meanwhile.');
    const owner = await paying.as(await buildParticipant(db));
    await uploadFile(owner, { area: 'my_files', name: 'notes.txt' }, Buffer.from('Some notes'));
    const admin = await buildAdmin(db);
    await buildStipend(db, { paymentStatus: 'approved' });
    await (await paying.as(admin)).call(handOverWeek, { body: { weekNumber: 1 } });

    expect((await countsOf()).map((count, index) => count - (before[index] ?? 0))).toEqual([1, 1, 1, 1, 1]);
    await paying.close();
    await receiver.close();
  });

  test('a database that is away is a line, not a failure', async () => {
    const alone = await openTestApp('postgres://nobody@127.0.0.1:1/away', { DATA_DIR: server.app.config.dataDir });
    const { status, text } = await read({}, alone);
    expect(status).toBe(200);
    expect(text).toMatch(/^switchyard_database_up 0$/m);
    expect(text).toMatch(/^switchyard_live_streams /m);
    await alone.close();
  });
});
