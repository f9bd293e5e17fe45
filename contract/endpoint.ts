import { z } from 'zod';
import type { Fact } from './facts.ts';
import type { Access } from './roles.ts';
// It gives every schema of the contract its words.
import './validation-words.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Browser and server agree on this for one call. A missing schema means that the call takes none of it. */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> {
  /** It is unique. It is also the OpenAPI operationId and the first part of the browser's cache key. */
  name: string;
  method: Method;
  /** `/api/...`, with parameters written as `:id`. */
  path: string;
  access: Access;
  summary: string;
  /** A read names the facts that its answer shows. When one of them changes, open screens read it again. */
  shows?: readonly Fact[];
  params?: Params;
  query?: Query;
  body?: Body;
  response: Response;
  /**
   * Set if the answer is empty, or a stream of bytes or events, instead of JSON. It holds the media types by status.
   */
  binary?: Readonly<Record<number, readonly string[]>>;
  /** Set if the response also comes with this status beside 200, as for a server that is not ready. */
  alsoWith?: number;
  /** Roles that may not call it are told this, if the specification has words for it. */
  refusal?: string;
  /**
   * Set if the answer holds a secret, as a token. It is never compressed: its length would tell a caller who chose a
   * part of it how much that part is like the secret.
   */
  holdsSecret?: true;
  /** The body limit in bytes, if it differs from the default of 1 MiB. */
  bodyLimit?: number;
  /** Set if a signature is verified over the bytes of the body, before anything reads them. */
  keepsRawBody?: true;
  /** Set on acts that ask for a password or code if the last proof is older than `freshProofMs`. */
  needsFreshProof?: true;
  /** Set on writes that must not hold one transaction open, because their acts open their own. */
  ownTransactions?: true;
  /** Set if the call works through a set or streams it. Its statements may take minutes. */
  takesLong?: true;
  /**
   * Set on lists and dashboards that may be read at a replica of the database. They show what they would show at the
   * primary. Such a read writes nothing, and may run twice.
   */
  mayReadReplica?: true;
  /** Set if the server does not look up who asks. The call answers even if the database does not. */
  readsNoSession?: true;
}

type Empty = z.ZodType<undefined>;

/** An endpoint that a screen reads has this. */
export interface Showing {
  shows: readonly Fact[];
}
/** A read that takes nothing. */
export type PlainRead = Endpoint<Empty, Empty, Empty> & Showing;

interface ShowingNothing {
  method: Exclude<Method, 'GET'>;
  shows?: never;
}
interface Streaming {
  binary: NonNullable<Endpoint['binary']>;
  shows?: never;
}

/** Keeps the schemas' exact types, so that server and browser infer from them. A read must say what it shows. */
export function endpoint<
  Params extends z.ZodType = Empty,
  Query extends z.ZodType = Empty,
  Body extends z.ZodType = Empty,
  Response extends z.ZodType = z.ZodType,
>(definition: Endpoint<Params, Query, Body, Response> & Showing): Endpoint<Params, Query, Body, Response> & Showing;
export function endpoint<
  Params extends z.ZodType = Empty,
  Query extends z.ZodType = Empty,
  Body extends z.ZodType = Empty,
  Response extends z.ZodType = z.ZodType,
>(
  definition: Endpoint<Params, Query, Body, Response> & (ShowingNothing | Streaming),
): Endpoint<Params, Query, Body, Response>;
export function endpoint(definition: Endpoint): Endpoint {
  return definition;
}

type Part<Name extends string, Schema> =
  Schema extends z.ZodType<infer Output, infer Input>
    ? [Output] extends [undefined]
      ? unknown
      : Record<Name, Input>
    : unknown;
type ParsedPart<Name extends string, Schema> =
  Schema extends z.ZodType<infer Output> ? ([Output] extends [undefined] ? unknown : Record<Name, Output>) : unknown;

/** A caller passes `{ params, query, body }`, each only if the endpoint has it. */
export type InputOf<E> =
  E extends Endpoint<infer P, infer Q, infer B, z.ZodType>
    ? Part<'params', P> & Part<'query', Q> & Part<'body', B>
    : never;
/** A handler receives this after parsing. */
export type ParsedInputOf<E> =
  E extends Endpoint<infer P, infer Q, infer B, z.ZodType>
    ? ParsedPart<'params', P> & ParsedPart<'query', Q> & ParsedPart<'body', B>
    : never;
export type ResponseOf<E> = E extends Endpoint<z.ZodType, z.ZodType, z.ZodType, infer R> ? z.output<R> : never;
/** A handler returns this: the response before parsing. */
export type ReplyOf<E> = E extends Endpoint<z.ZodType, z.ZodType, z.ZodType, infer R> ? z.input<R> : never;

export const Id = z.uuid();
export const IdParams = z.object({ id: Id });
/** An instant as ISO 8601 with zone. */
export const Instant = z.iso.datetime({ offset: true });
/** A calendar day, `YYYY-MM-DD`, never shifted by a zone. */
export const Day = z.iso.date();
export const Done = z.object({ done: z.literal(true) });
/** The `nextCursor` of a reply. It holds the names by which the list is ordered. */
export const Cursor = z.string().max(4000);
export const SearchText = z.string().trim().max(200);
/** A page by key. Pass `nextCursor` back as `cursor`. Null means the end. */
export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ rows: z.array(row), nextCursor: z.string().nullable() });
