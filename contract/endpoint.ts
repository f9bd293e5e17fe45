import { z } from 'zod';
import type { Fact } from './facts.ts';
import type { Access } from './roles.ts';
// Every schema of the contract speaks by it.
import './validation-words.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What browser and server agree on for one call. A missing schema means the call takes none of it. */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> {
  /** Unique, also the OpenAPI operationId and the first part of the browser's cache key. */
  name: string;
  method: Method;
  /** `/api/...`, parameters written as `:id`. */
  path: string;
  access: Access;
  summary: string;
  /** Of what reads: the facts that its answer shows. When one of them changes, open screens read it again. */
  shows?: readonly Fact[];
  params?: Params;
  query?: Query;
  body?: Body;
  response: Response;
  /** Set where the answer is a stream of bytes or events, or empty, instead of JSON: its media types by status. */
  binary?: Readonly<Record<number, readonly string[]>>;
  /** Set where the response also comes with this status beside 200, as of a server that is not ready. */
  alsoWith?: number;
  /** What roles that may not call it are told, where the specification has words for it. */
  refusal?: string;
  /** Body limit in bytes where it differs from the default of 1 MiB. */
  bodyLimit?: number;
  /** Set where a signature is verified over the bytes of the body, before anything reads them. */
  keepsRawBody?: true;
  /** Set on acts that ask for a password or code when the last proof is older than `freshProofMs`. */
  needsFreshProof?: true;
  /** Set on writes that must not hold one transaction open, because their acts open their own. */
  ownTransactions?: true;
  /** Set where a set is worked through or streamed: its statements may take minutes. */
  takesLong?: true;
  /** Set where nobody is asked for: it answers whether the database does or not. */
  readsNoSession?: true;
}

type Empty = z.ZodType<undefined>;

/** Of an endpoint that a screen reads. */
export interface Showing {
  shows: readonly Fact[];
}
interface ShowingNothing {
  method: Exclude<Method, 'GET'>;
  shows?: never;
}
interface Streaming {
  binary: NonNullable<Endpoint['binary']>;
  shows?: never;
}

/** Keeps the schemas' exact types, so that server and browser infer from them. What reads says what it shows. */
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

/** What a caller passes: `{ params, query, body }`, each only where the endpoint has it. */
export type InputOf<E> =
  E extends Endpoint<infer P, infer Q, infer B, z.ZodType>
    ? Part<'params', P> & Part<'query', Q> & Part<'body', B>
    : never;
/** What a handler receives after parsing. */
export type ParsedInputOf<E> =
  E extends Endpoint<infer P, infer Q, infer B, z.ZodType>
    ? ParsedPart<'params', P> & ParsedPart<'query', Q> & ParsedPart<'body', B>
    : never;
export type ResponseOf<E> = E extends Endpoint<z.ZodType, z.ZodType, z.ZodType, infer R> ? z.output<R> : never;
/** What a handler returns: the response before parsing. */
export type ReplyOf<E> = E extends Endpoint<z.ZodType, z.ZodType, z.ZodType, infer R> ? z.input<R> : never;

export const Id = z.uuid();
export const IdParams = z.object({ id: Id });
/** An instant as ISO 8601 with zone. */
export const Instant = z.iso.datetime({ offset: true });
/** A calendar day, `YYYY-MM-DD`, never shifted by a zone. */
export const Day = z.iso.date();
export const Done = z.object({ done: z.literal(true) });
/** The `nextCursor` of a reply; names that the list is ordered by are in it. */
export const Cursor = z.string().max(4000);
/** What is looked for in a list. */
export const SearchText = z.string().trim().max(200);
/** A page by key: pass `nextCursor` back as `cursor`; null means the end. */
export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ rows: z.array(row), nextCursor: z.string().nullable() });
