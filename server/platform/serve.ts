import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Endpoint, ParsedInputOf, ReplyOf } from '#contract/endpoint.ts';
import { actHeader, changedFactsHeader } from '#contract/facts.ts';
import { type Access, freshProofMs, type Permission, rolesWith } from '#contract/roles.ts';
import type { Db } from '#server/db/database.ts';
import { type Actor, type Identity, nobody } from '#server/platform/actor.ts';
import { type App, withPatience } from '#server/platform/app-parts.ts';
import { withLog } from '#server/platform/current-work.ts';
import { AppError } from '#server/platform/errors.ts';
import { type Verify, verifyBeforeParsing } from '#server/platform/signed-messages.ts';
import { type Heard, hear } from '#server/platform/telling.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { machineTime } from './clock.ts';

export type { App };

type ActorFor<E> = E extends { access: 'public' | 'signed' } ? Actor | null : Actor;

type Context<E> = ParsedInputOf<E> & {
  /** A write has one transaction. A GET reads without one. */
  db: Db;
  actor: ActorFor<E>;
  app: App;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** `NoInfer` keeps the endpoint the only source of the types. */
export type Handler<E> = (context: Context<E>) => Promise<ReplyOf<E>>;

/**
 * Binds an endpoint. Finds who asks and whether they may, parses, opens a transaction and acts. Only what the response
 * schema names leaves. A reply that does not fit the schema rolls the write back. `verify` is for endpoints that keep
 * the raw body.
 */
export function serve<const E extends Endpoint>(
  app: App,
  endpoint: E,
  handler: Handler<NoInfer<E>>,
  verify?: Verify,
): void {
  const responds = endpoint.response;
  const part = endpoint.takesLong ? withPatience(app) : app;
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const input = inputOf(endpoint, request);
    const run = async (db: Db) => {
      const context = { ...input, db, actor: request.actor, app: part, request, reply } as unknown as Context<E>;
      return responds.parse(await handler(context));
    };
    if (endpoint.method === 'GET') {
      if (!endpoint.mayReadReplica || !app.replica) return run(part.db);
      return app.replica.read({ position: request.identity?.logPosition ?? null, run });
    }
    return sayingChanges(endpoint, request, reply, () =>
      endpoint.ownTransactions ? run(part.db) : inTransaction(part.db, run),
    );
  };
  registerRoute(app, endpoint, answer, verify);
}

/** For endpoints whose answer is a stream. The handler sends it itself. */
export function serveStream<const E extends Endpoint>(
  app: App,
  endpoint: E,
  handler: (context: Context<NoInfer<E>>) => Promise<unknown>,
): void {
  const part = endpoint.takesLong ? withPatience(app) : app;
  registerRoute(app, endpoint, async (request, reply) => {
    const input = inputOf(endpoint, request);
    const context = { ...input, db: part.db, actor: request.actor, app: part, request, reply };
    return handler(context as unknown as Context<NoInfer<E>>);
  });
}

/** The reply names the facts that the act changed, even if the act failed after some of its own transactions. */
async function sayingChanges<Answer>(
  { access }: Endpoint,
  { actor, headers }: FastifyRequest,
  reply: FastifyReply,
  act: () => Promise<Answer>,
): Promise<Answer> {
  // If anybody may call, the facts could tell whether an address is known.
  if (!actor || isForNoRole(access)) return act();
  const heard: Heard = {
    actorId: actor.id,
    act: actIn(headers[actHeader]),
    facts: new Set(),
  };
  try {
    return await hear(heard, act);
  } finally {
    if (heard.facts.size > 0) reply.header(changedFactsHeader, [...heard.facts].join(','));
  }
}

const uuid = z.uuid();

function actIn(header: string | string[] | undefined): string | null {
  return header === undefined ? null : (uuid.safeParse(header).data ?? null);
}

/** Returns only what the contract's schemas parsed. Input without a schema reaches no handler. */
function inputOf({ query, body }: Endpoint, request: FastifyRequest) {
  return {
    params: request.params,
    query: query ? request.query : undefined,
    body: body ? request.body : undefined,
  };
}

function registerRoute(
  app: App,
  endpoint: Endpoint,
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  verify?: Verify,
): void {
  if (Boolean(endpoint.keepsRawBody) !== Boolean(verify)) throw new Error(`${endpoint.name}: who verifies its bytes?`);
  app.endpoints.push(endpoint);
  app.http.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(endpoint.bodyLimit ? { bodyLimit: endpoint.bodyLimit } : {}),
    ...(endpoint.binary || endpoint.holdsSecret ? { compress: false } : {}),
    schema: {
      operationId: endpoint.name,
      summary: endpoint.summary,
      tags: [tagOf(endpoint)],
      ...{ 'x-access': accessList(endpoint) },
      ...(endpoint.params ? { params: endpoint.params } : {}),
      ...(endpoint.query ? { querystring: endpoint.query } : {}),
      ...(endpoint.body ? { body: endpoint.body } : {}),
      ...(endpoint.binary ? { 'x-answers': endpoint.binary } : { response: responsesOf(endpoint) }),
    },
    ...(verify ? { preParsing: verifyBeforeParsing(app, endpoint, verify) } : {}),
    onRequest: async (request) => {
      request.identity = endpoint.readsNoSession
        ? nobody
        : await withLog(request.log, () => app.sessions.identify(request, { mayProlong: !endpoint.binary }));
      request.actor = requireAccess(endpoint, request.identity);
    },
    handler: (request, reply) => withLog(request.log, () => answer(request, reply)),
  });
}

function responsesOf({ response, alsoWith }: Endpoint): Record<number, Endpoint['response']> {
  return alsoWith ? { 200: response, [alsoWith]: response } : { 200: response };
}

/** The roles (or what else is needed) to call an endpoint. OpenAPI's `x-access` and the permission map show it. */
export function accessList(endpoint: Endpoint): string | readonly string[] {
  if (isForNoRole(endpoint.access)) return endpoint.access;
  return rolesWith(endpoint.access);
}

export function requirePermission({ actor, assurance }: Identity, permission: Permission, refusal?: string): Actor {
  if (!actor) throw new AppError('not_authenticated', 'Not authenticated');
  requireRole(actor, permission, refusal);
  if (permission === 'password.own') return actor;
  if (assurance?.mustChangePassword) {
    throw new AppError('password_change_required', 'Somebody else chose your password. Set your own to continue.');
  }
  if (assurance?.mustSetUpSecondFactor && permission !== 'account.own') {
    throw new AppError('second_factor_required', 'Your role needs a second factor. Set it up to continue.');
  }
  return actor;
}

export function requireRole(actor: Actor, permission: Permission, refusal?: string): void {
  const allowed = rolesWith(permission);
  if (allowed.includes(actor.role)) return;
  const words = refusal ?? `This needs the role ${allowed.join(' or ')}; yours is ${actor.role}.`;
  throw new AppError('forbidden', words);
}

/** Returns the person that the handler acts for. Null if the endpoint is for everybody. */
function requireAccess({ access, needsFreshProof, refusal }: Endpoint, identity: Identity): Actor | null {
  if (access === 'public' || access === 'signed') return identity.actor;
  if (access === 'pending') {
    if (!identity.pending) throw new AppError('not_authenticated', 'Not authenticated');
    return identity.pending;
  }
  const actor = requirePermission(identity, access, refusal);
  if (needsFreshProof) requireFreshProof(identity);
  return actor;
}

/** For acts that need a fresh proof only in some cases. The others declare `needsFreshProof`. */
export function requireFreshProof(identity: Identity | null): void {
  const sinceProof = machineTime().getTime() - (identity?.assurance?.provedAt.getTime() ?? 0);
  if (sinceProof <= freshProofMs) return;
  throw new AppError('proof_required', 'Please confirm that it is you, with your password or a code.');
}

function isForNoRole(access: Access): access is 'public' | 'signed' | 'pending' {
  return access === 'public' || access === 'signed' || access === 'pending';
}

function tagOf(endpoint: Endpoint): string {
  const [first, second] = endpoint.path.split('/').slice(1);
  if (first === 'api' && second) return second;
  return first === 'functions' ? first : 'process';
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The person that the handler acts for. */
    actor: Actor | null;
    identity: Identity | null;
    /** Only endpoints that keep it have it. It is verified by then. */
    rawBody?: string;
  }
}
