import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { updateCohort } from '#contract/cohorts.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { changeOwnNames } from '#contract/own-details.ts';
import { updateResource } from '#contract/resources.ts';
import { type Role, roles } from '#contract/roles.ts';
import { approveStipend, changeStipendAmount } from '#contract/stipends.ts';
import { updateUser } from '#contract/user-management.ts';
import { accessList } from '#server/platform/serve.ts';
import { buildCohort } from './factories/cohorts.ts';
import { type BuiltPerson, buildPerson } from './factories/people.ts';
import { buildResource } from './factories/resources.ts';
import { buildStipend } from './factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from './support/app.ts';
import { readContract } from './support/contract.ts';
import { extras, openParts, smuggled, withExtras } from './support/extra-fields.ts';
import { sendConfirmation } from './support/payment-system.ts';
import { type Sample, sampleBodyOf } from './support/sample-body.ts';

const contract = await readContract();
const allWrites = contract.filter(({ method }) => method !== 'GET');
const writes = allWrites.filter(({ body }) => body !== undefined);
const bodyless = allWrites.filter(({ body }) => body === undefined);

const webhookSecret = 'a secret for signing of messages';
describe('what a body may hold', () => {
  test('there are writes to look at, and each has a sample that passes', () => {
    expect(writes.length).toBeGreaterThan(60);
    expect(bodyless.length).toBeGreaterThan(40);
    const failing = writes.flatMap((endpoint) => {
      const parsed = endpoint.body?.safeParse(sampleBodyOf(endpoint));
      return parsed?.error
        ? [`${endpoint.name}: ${parsed.error.issues[0]?.path.join('.')} ${parsed.error.issues[0]?.message}`]
        : [];
    });
    expect(failing).toEqual([]);
  });

  test('each keeps nothing beside its own fields, between two steps of a sign-in too', () => {
    expect(writes.filter(({ access }) => access === 'pending')).not.toEqual([]);
    for (const endpoint of writes) {
      const sent = withExtras(sampleBodyOf(endpoint), openParts[endpoint.name]);
      expect({ endpoint: endpoint.name, body: endpoint.body?.parse(sent) }).toEqual({
        endpoint: endpoint.name,
        body: endpoint.body?.parse(sampleBodyOf(endpoint)),
      });
    }
  });
});

describe('what a handler is given', () => {
  let server: TestApp;
  let adminId: string;
  const clients = new Map<Role | 'nobody', Client>();
  const people = new Map<Role, BuiltPerson>();
  let received: { name: string; body: unknown }[] = [];
  const channel = 'tracing:fastify.request.handler:start';
  const note = (message: unknown) => {
    const { request } = message as { request: FastifyRequest };
    const { operationId = '' } = request.routeOptions.schema as { operationId?: string };
    received.push({ name: operationId, body: request.body });
  };
  beforeAll(async () => {
    server = await startTestApp({ STIPEND_WEBHOOK_URL: 'https://pay.example', STIPEND_WEBHOOK_SECRET: webhookSecret });
    clients.set('nobody', await server.as(null));
    for (const role of roles) {
      const person = await buildPerson(server.db, { role });
      if (role === 'admin') adminId = person.id;
      people.set(role, person);
      clients.set(role, await server.as(person));
    }
    subscribe(channel, note);
  });
  afterAll(async () => {
    unsubscribe(channel, note);
    await server.close();
  });

  const send = (client: Client | undefined, endpoint: Endpoint, body: unknown) =>
    client?.fetch(addressOf(endpoint), {
      method: endpoint.method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  // Only the payment system's message is signed. The server refuses an unsigned one before it parses it.
  const sendSigned = (body: object) =>
    sendConfirmation(server.url, { body, messageId: 'msg_with_extras', secret: webhookSecret });

  // Only somebody between two steps of a sign-in may call these.
  const callable = writes.filter(({ access }) => access !== 'pending');

  test.each(callable.map((endpoint) => [endpoint.name, endpoint] as const))(
    'no extra field reaches the handler of %s',
    async (_, endpoint) => {
      const client = clients.get(roleFor(endpoint) ?? 'nobody');
      const body = sampleBodyOf(endpoint);
      received = [];
      const sent = withExtras(body, openParts[endpoint.name]);
      const answer =
        endpoint.access === 'signed' ? await sendSigned(sent as object) : await send(client, endpoint, sent);
      const [seen] = received.filter(({ name }) => name === endpoint.name);
      expect({ endpoint: endpoint.name, status: answer?.status, body: seen?.body }).toEqual({
        endpoint: endpoint.name,
        status: expect.any(Number),
        body: endpoint.body?.parse(body),
      });
    },
  );

  test('requests that succeed with extra fields change what they name, and of role, email, ids, amounts and the rest nothing', async () => {
    const { db } = server;
    const person = await buildPerson(db, { role: 'participant', trackType: 'fellowship' });
    const cohort = await buildCohort(db);
    const resource = await buildResource(db);
    const repriced = await buildStipend(db);
    const approved = await buildStipend(db);
    const own = await server.as(person);
    const admin = clients.get('admin');
    const rowsOf = async () => {
      const found = await sql<{ name: string; row: Record<string, unknown> }>`
        select 'profile' as name, to_jsonb(kept) as row from profiles kept where id = ${person.id}
        union all select 'sign-in', to_jsonb(kept) from auth."user" kept where id = ${person.id}
        union all select 'cohort', to_jsonb(kept) from cohorts kept where id = ${cohort.id}
        union all select 'resource', to_jsonb(kept) from resources kept where id = ${resource.id}
        union all select 'repriced', to_jsonb(kept) from stipend_eligibility kept where id = ${repriced.id}
        union all select 'approved', to_jsonb(kept) from stipend_eligibility kept where id = ${approved.id}`.execute(
        db,
      );
      return Object.fromEntries(found.rows.map(({ name, row }) => [name, row]));
    };
    const { name: cohortName, description, programType, endDate, status, capacity, curriculumVersion } = cohort;
    const cohortFacts = { name: `${cohortName} II`, description, programType, endDate, status, capacity };
    const resourceFacts = { description: null, fileType: 'slide', courseModule: null, program: 'fellowship' };
    const before = await rowsOf();
    const sends: [Client | undefined, Endpoint, string, Record<string, Sample>][] = [
      [own, changeOwnNames, '', { firstName: 'Robin' }],
      [admin, updateUser, person.id, { lastName: 'Reyes', role: 'participant', version: 1 }],
      [admin, updateCohort, cohort.id, { ...cohortFacts, curriculumVersion, unlockedWeeks: 3, version: 1 }],
      [admin, updateResource, resource.id, { ...resourceFacts, title: 'New', fileUrl: resource.fileUrl, version: 1 }],
      [admin, changeStipendAmount, repriced.id, { amountCents: 60_000, reason: 'Travel', version: 1 }],
      [admin, approveStipend, approved.id, { version: 1 }],
    ];
    for (const [client, endpoint, id, body] of sends) {
      const answer = await client?.fetch(endpoint.path.replace(':id', id), {
        method: endpoint.method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(withExtras(body)),
      });
      expect({ endpoint: endpoint.name, status: answer?.status, body: await answer?.text() }).toMatchObject({
        status: 200,
      });
    }
    const changed = { version: expect.any(Number) };
    expect(await rowsOf()).toEqual({
      profile: { ...before.profile, ...changed, firstName: 'Robin', lastName: 'Reyes' },
      'sign-in': {
        ...before['sign-in'],
        name: 'Robin Reyes',
        firstName: 'Robin',
        lastName: 'Reyes',
        updatedAt: expect.any(String),
      },
      cohort: { ...before.cohort, ...changed, name: `${cohortName} II`, unlockedWeeks: 3 },
      resource: { ...before.resource, ...changed, title: 'New', fileType: 'slide' },
      repriced: {
        ...before.repriced,
        ...changed,
        stipendAmountCents: 60_000,
        isAmountSetByHand: true,
        amountReason: 'Travel',
        amountSetBy: adminId,
        amountSetters: [adminId],
        updatedAt: expect.any(String),
      },
      approved: {
        ...before.approved,
        ...changed,
        paymentStatus: 'approved',
        approvedBy: adminId,
        approvedAt: expect.stringMatching(/^(?!1987)/),
        payeeName: 'Robin Reyes',
        payeeEmail: expect.stringMatching(/^participant-.*@people\.example$/),
        updatedAt: expect.any(String),
      },
    });
  });

  test.each(bodyless.map((endpoint) => [endpoint.name, endpoint] as const))(
    'fields in the body and in the address of %s, which names none, do not break it',
    async (_, endpoint) => {
      const role = roleFor(endpoint);
      // Some of these end sessions.
      const client = await server.as((role && people.get(role)) ?? null);
      const search = new URLSearchParams(
        Object.entries(extras).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const answer = await client.fetch(`${addressOf(endpoint)}?${search}`, {
        method: endpoint.method,
        headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
        body: JSON.stringify(extras),
      });
      const { status } = answer;
      expect({ endpoint: endpoint.name, status, isBroken: status === 500 }).toMatchObject({ isBroken: false });
    },
  );

  test('nothing of it was written: what was smuggled stands nowhere in the database', async () => {
    const { db } = server;
    const tables = (await db.introspection.getTables()).filter(({ isView }) => !isView);
    expect(tables.length).toBeGreaterThan(40);
    for (const { schema = 'public', name } of tables) {
      const { rows } = await sql<{ text: string }>`
        select kept::text as text from ${sql.table(`${schema}.${name}`)} kept
        where kept::text like any(${[`%${smuggled}%`, '%mallory@people.example%', '%99999999%']})`.execute(db);
      expect({ table: name, rows }).toEqual({ table: name, rows: [] });
    }
    const admins = await db.selectFrom('profiles').select('id').where('role', '=', 'admin').execute();
    expect(admins).toHaveLength(2);
  });
});

/** Returns a role that may call it, or undefined if it needs none. */
function roleFor(endpoint: Endpoint): Role | undefined {
  const [first] = accessList(endpoint);
  return roles.find((role) => role === first);
}

function addressOf({ path }: Endpoint): string {
  return path.replace(/:(\w+)/g, (_, name: string) => parameterOf(name));
}

function parameterOf(name: string): string {
  if (name === 'weekNumber') return '1';
  if (name === 'weekStartDate') return '2026-03-01';
  return '00000000-0000-7000-8000-00000000000b';
}
