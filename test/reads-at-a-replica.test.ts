import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { signOut } from '#contract/accounts.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { listCoachParticipants } from '#contract/home.ts';
import { readStatus } from '#contract/operations.ts';
import { listPersonNotes, writePersonNote } from '#contract/person-notes.ts';
import { listUsers } from '#contract/user-management.ts';
import { migrate } from '#server/db/migrate.ts';
import { jobList } from '#server/job-list.ts';
import { prepareJobQueues } from '#server/platform/jobs.ts';
import { readsByServer } from '#server/platform/metrics.ts';
import { assignCoach, buildCohort, enrol } from './factories/cohorts.ts';
import { buildAdmin, buildCoach, buildParticipant } from './factories/people.ts';
import { type Client, openTestApp, type TestApp } from './support/app.ts';
import { readContract } from './support/contract.ts';
import { openStreamOf } from './support/live-stream.ts';
import { makeServerFolder, type Standby, startPrimary, startStandby } from './support/standby.ts';

/** A standby on the same machine needs far less, so only what a test holds back is late. */
const patient = 10_000;

let folder: Awaited<ReturnType<typeof makeServerFolder>>;
let primary: Awaited<ReturnType<typeof startPrimary>>;
let standby: Standby;
/** Two web processes. */
let server: TestApp;
let other: TestApp;
beforeAll(async () => {
  folder = await makeServerFolder();
  const dataDir = path.join(folder.folder, 'primary');
  primary = await startPrimary(dataDir);
  await migrate(primary.connectionString);
  await prepareJobQueues(primary.connectionString, jobList);
  standby = await startStandby({ dataDir, ...primary }, path.join(folder.folder, 'standby'));
  [server, other] = await Promise.all([open(patient), open(patient)]);
});
afterAll(async () => {
  await Promise.all([server, other].map((each) => each.close()));
  await standby.close();
  await primary.stop();
  await folder.remove();
});

async function open(waitLimitInMs: number): Promise<TestApp> {
  const env = {
    DATABASE_REPLICA_URL: standby.connectionString,
    DATA_DIR: path.join(folder.folder, 'files'),
  };
  const ofReplica = { waitLimitInMs, tryEveryMs: 50 };
  const app = await openTestApp(primary.connectionString, env, undefined, { ofReplica });
  const admin = await app.as(await buildAdmin(app.db));
  await vi.waitFor(
    async () => expect(await answeredBy(() => admin.call(listUsers, { query: {} }))).toEqual(['replica']),
    { timeout: patient },
  );
  return app;
}

/** The servers that answered the reads of this work, each once. */
async function answeredBy(work: () => Promise<unknown>): Promise<string[]> {
  const counts = async () => new Map((await readsByServer.get()).values.map(({ labels, value }) => [labels, value]));
  const totals = async () => {
    const sums: Record<string, number> = {};
    for (const [{ server: name = '' }, value] of await counts()) sums[name] = (sums[name] ?? 0) + value;
    return sums;
  };
  const before = await totals();
  await work();
  return Object.entries(await totals()).flatMap(([name, value]) => (value > (before[name] ?? 0) ? [name] : []));
}

const readsOfReplica = async () => (await readContract()).filter(({ mayReadReplica }) => mayReadReplica);

test('only reads of signed-in people that end in one answer may go to the replica', async () => {
  const wrong = (await readsOfReplica()).filter(
    ({ method, access, binary, takesLong, readsNoSession }) =>
      method !== 'GET' || ['public', 'signed', 'pending'].includes(access) || binary || takesLong || readsNoSession,
  );
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test('each of them is answered by the replica, for all who may ask', async () => {
  const { db } = server;
  const [admin, coach, participant] = [await buildAdmin(db), await buildCoach(db), await buildParticipant(db)];
  const cohort = await buildCohort(db);
  await enrol(db, { cohortId: cohort.id, participantId: participant.id, coachId: coach.id });
  const clients = await Promise.all([admin, coach, participant].map((person) => server.as(person)));
  const query = { week: '1', cohort: cohort.id, kind: 'approved_not_sent', words: 'Casey', month: '2026-07' };
  const addressOf = ({ path: form, query: takes }: Endpoint) => {
    const place = form
      .replace(':participantId', participant.id)
      .replace(':id', /cohort/.test(form) ? cohort.id : participant.id);
    const known = Object.entries(query).filter(
      ([name]) => takes && 'shape' in takes && name in (takes.shape as object),
    );
    return `${place}?${new URLSearchParams(known)}`;
  };
  const answers = async (client: Client, endpoint: Endpoint) => {
    let status = 0;
    const servers = await answeredBy(async () => {
      status = (await client.fetch(addressOf(endpoint))).status;
    });
    return status === 200 ? [servers.join()] : [];
  };
  for (const endpoint of await readsOfReplica()) {
    const found = [];
    for (const client of clients) found.push(...(await answers(client, endpoint)));
    expect([endpoint.name, [...new Set(found)]]).toEqual([endpoint.name, ['replica']]);
  }
});

describe('while the replica is a little behind', () => {
  beforeAll(() => standby.set('recovery_min_apply_delay', 40));
  afterAll(() => standby.set('recovery_min_apply_delay', 0));

  test('nobody misses a write of their own, wherever they write and read', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => buildParticipant(server.db)));
    const writer = await buildAdmin(server.db);
    const [here, there] = await Promise.all([server.as(writer), other.as(writer)]);
    const missing: string[] = [];
    const servers = await answeredBy(async () => {
      const writeAndRead = async ({ id }: { id: string }, index: number) => {
        for (let turn = 0; turn < 8; turn += 1) {
          const text = `Note ${turn} of ${id}`;
          const [writes, reads] = (index + turn) % 2 === 0 ? [here, there] : [there, here];
          await writes.call(writePersonNote, { params: { id }, body: { kind: 'staff', text } });
          const { rows } = await reads.call(listPersonNotes, { params: { id }, query: {} });
          if (!rows.some((row) => row.text === text)) missing.push(text);
        }
      };
      await Promise.all(people.map(writeAndRead));
    });
    expect(missing).toEqual([]);
    expect(servers).toEqual(['replica']);
  });

  test('a coach who was replaced sees the participant no more', async () => {
    const [coach, successor] = [await buildCoach(server.db), await buildCoach(server.db)];
    const participant = await buildParticipant(server.db);
    await assignCoach(server.db, { participantId: participant.id, coachId: coach.id });
    const former = await other.as(coach);
    const seen = async () => {
      let ids: string[] = [];
      const servers = await answeredBy(async () => {
        ids = (await former.call(listCoachParticipants, { query: {} })).rows.map(({ id }) => id);
      });
      return [...ids, ...servers];
    };
    expect(await seen()).toEqual([participant.id, 'replica']);
    await server.db
      .updateTable('userCourses')
      .set({ coachId: successor.id })
      .where('userId', '=', participant.id)
      .execute();
    expect(await seen()).toEqual(['replica']);
  });

  test('a read after live news sees what the news is about, in any process', async () => {
    const [reader, writer] = [await buildAdmin(server.db), await buildAdmin(server.db)];
    const { id } = await buildParticipant(server.db);
    const [hears, reads, writes] = await Promise.all([server.as(reader), other.as(reader), server.as(writer)]);
    const stream = await openStreamOf(hears);
    onTestFinished(stream.close);
    const hearAndRead = async (turn: number) => {
      const heard = stream.events().length;
      const text = `News ${turn}`;
      const writing = writes.call(writePersonNote, { params: { id }, body: { kind: 'staff', text } });
      await vi.waitFor(() => expect(stream.events().length).toBeGreaterThan(heard), { interval: 1 });
      const { rows } = await reads.call(listPersonNotes, { params: { id }, query: {} });
      expect(rows.map((row) => row.text)).toContain(text);
      await writing;
    };
    const servers = await answeredBy(async () => {
      for (let turn = 1; turn <= 5; turn += 1) await hearAndRead(turn);
    });
    expect(servers).toEqual(['replica']);
  });
});

test('an admin is told of a replica that is too far behind, and so is a monitor', async () => {
  const strict = await open(200);
  onTestFinished(strict.close);
  const admin = await strict.as(await buildAdmin(strict.db));
  const unused = async () =>
    (await admin.call(readStatus)).findings.filter(({ code }) => code === 'replica-unused').map((each) => each.problem);
  expect(await unused()).toEqual([]);
  await standby.pauseReplay();
  onTestFinished(standby.resumeReplay);
  expect(await unused()).toEqual(['The replica is more than 200 ms behind, so lists are read at the primary.']);
  const metrics = async () => (await admin.fetch('/metrics')).text();
  await vi.waitFor(async () => expect(await metrics()).toMatch(/^switchyard_replica_state\{state="behind"\} 1$/m), {
    timeout: patient,
  });
  expect(await answeredBy(() => admin.call(listUsers, { query: {} }))).toEqual(['primary']);
});

test('a session that has ended reads nothing, though the replica does not know of it yet', async () => {
  const strict = await open(200);
  onTestFinished(strict.close);
  const client = await strict.as(await buildAdmin(strict.db));
  await standby.pauseReplay();
  onTestFinished(standby.resumeReplay);
  await client.call(signOut);
  expect((await client.refused(listUsers, { query: {} })).status).toBe(401);
});

test('no read fails while the replica is stopped and started again under load, and it is used again afterward', async () => {
  const writer = await buildAdmin(server.db);
  const { id } = await buildParticipant(server.db);
  const clients = await Promise.all([server.as(writer), other.as(writer)]);
  let isOver = false;
  const missing: string[] = [];
  const work = async (client: Client, index: number) => {
    for (let turn = 0; !isOver; turn += 1) {
      const text = `Line ${index}, turn ${turn}`;
      await client.call(writePersonNote, { params: { id }, body: { kind: 'staff', text } });
      const { rows } = await client.call(listPersonNotes, { params: { id }, query: {} });
      if (!rows.some((row) => row.text === text)) missing.push(text);
    }
  };
  const working = Promise.all(clients.map(work));
  onTestFinished(async () => {
    isOver = true;
    await working;
  });
  const answering = async (name: string) => {
    const list = () => clients[0]?.call(listUsers, { query: {} });
    await vi.waitFor(
      async () => expect(await Promise.race([working, answeredBy(async () => void (await list()))])).toContain(name),
      { timeout: patient },
    );
  };
  await answering('replica');
  await standby.stop();
  await answering('primary');
  await standby.startAgain();
  await answering('replica');
  isOver = true;
  await working;
  expect(missing).toEqual([]);
});
