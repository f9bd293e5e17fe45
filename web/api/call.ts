import type { Endpoint, InputOf, ResponseOf } from '#contract/endpoint.ts';
import { actHeader, changedFactsHeader } from '#contract/facts.ts';
import { errorFrom, networkError, silenceError } from './api-error.ts';
import { noteAnswer } from './connection.ts';
import { answerWithinMs, takeEarlyAnswer } from './early-answers.ts';
import { isProofGiven } from './fresh-proof.ts';
import { newKey } from './new-key.ts';
import { silenceInMs, staysSilent } from './patience.ts';

const mostKeptAlive = 64 * 1024;
let keptAlive = 0;

interface LooseInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

type NeedsNothing<E> = Record<never, never> extends InputOf<E> ? true : false;
/** The input may be left out if the endpoint takes none. */
export type CallInput<E> = NeedsNothing<E> extends true ? [input?: InputOf<E>] : [input: InputOf<E>];

type ReadAgain = (facts: ReadonlySet<string>) => Promise<unknown>;
let readWhatShows: ReadAgain = async () => undefined;

/** Registers the function that runs when an act has changed facts. */
export function whenFactsChange(read: ReadAgain): void {
  readWhatShows = read;
}

const mostActsKnown = 100;
const ownActs = new Set<string>();

/** True if this page sent the act. Its reply says what it changed, so live news of it brings nothing new. */
export function isOwnAct(act: string): boolean {
  return ownActs.has(act);
}

function newAct(): string {
  const act = newKey();
  ownActs.add(act);
  for (const oldest of ownActs) {
    if (ownActs.size <= mostActsKnown) break;
    ownActs.delete(oldest);
  }
  return act;
}

/** Calls an endpoint. Throws ApiError if it refuses or cannot be reached. Queries that show what it changed are read again. */
export async function call<E extends Endpoint>(endpoint: E, ...[input]: CallInput<E>): Promise<ResponseOf<E>> {
  const { reply, readAgain } = await send(endpoint, input);
  void readAgain();
  return reply;
}

export interface Sent<E> {
  reply: ResponseOf<E>;
  /** Ends when every query that shows what changed was read again. */
  readAgain: () => Promise<unknown>;
}

interface Patience<E> {
  /** So long, nobody is told that no answer has come. */
  limitInMs?: number;
  /** Takes an answer that comes after that. Otherwise a read is given up, and what an act changed is read again. */
  whenLate?: (sent: Sent<E>) => unknown;
  /** Ends the wait for an answer that nobody wants any more. */
  giveUp?: AbortController;
}

/**
 * The same for a caller who waits until all has been read again, or who takes an answer that comes late. If no answer
 * comes in time, throws a silence.
 */
export async function send<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E> | undefined,
  { limitInMs = silenceInMs, whenLate, giveUp = new AbortController() }: Patience<E> = {},
): Promise<Sent<E>> {
  const act = endpoint.method === 'GET' ? null : newAct();
  const answer = exchange(endpoint, (input ?? {}) as LooseInput, act, giveUp.signal);
  const mayTakeLong = endpoint.takesLong && endpoint.method !== 'GET';
  if (await staysSilent(answer, mayTakeLong ? answerWithinMs : limitInMs)) {
    if (endpoint.method === 'GET' && !whenLate) giveUp.abort();
    else answer.then((late) => late.response.ok && (whenLate ?? readAgainAfter)(sentOf(late)), ignored);
    // If the act arrived, only live news say so.
    if (act) ownActs.delete(act);
    if (!whenLate) noteAnswer('unanswered');
    throw silenceError(endpoint);
  }
  const given = await answer;
  if (given.response.ok) return sentOf(given);
  const error = await errorFrom(given.response);
  if (error.code === 'proof_required' && (await isProofGiven())) {
    return send(endpoint, input, { giveUp, ...(whenLate ? { whenLate } : {}) });
  }
  void sentOf(given).readAgain();
  throw error;
}

interface Given {
  response: Response;
  /** What an accepted call answers. */
  reply: unknown;
}

async function exchange(
  endpoint: Endpoint,
  { body, ...place }: LooseInput,
  act: string | null,
  givenUp: AbortSignal,
): Promise<Given> {
  const content = body === undefined ? undefined : JSON.stringify(body);
  const kept = bytesKeptAlive(endpoint, content);
  keptAlive += kept ?? 0;
  const notAnswered = (): never => {
    if (!givenUp.aborted) noteAnswer('unanswered');
    throw networkError();
  };
  const address = addressOf(endpoint, place);
  const early = endpoint.method === 'GET' ? takeEarlyAnswer(address, givenUp) : null;
  const answer =
    early ??
    fetch(address, {
      method: endpoint.method,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(act ? { [actHeader]: act } : {}),
      },
      body: content,
      keepalive: kept !== null,
      signal: AbortSignal.any([givenUp, AbortSignal.timeout(answerWithinMs)]),
    });
  const response = await answer.catch(notAnswered).finally(() => {
    keptAlive -= kept ?? 0;
  });
  noteAnswer(isAway(response) ? 'unavailable' : 'answered');
  // This also meets an answer that breaks off.
  return { response, reply: response.ok ? await response.json().catch(notAnswered) : null };
}

function sentOf<E extends Endpoint>({ response, reply }: Given): Sent<E> {
  const facts = new Set(response.headers.get(changedFactsHeader)?.split(','));
  return {
    reply: reply as ResponseOf<E>,
    readAgain: async () => (facts.size > 0 ? readWhatShows(facts) : undefined),
  };
}

function readAgainAfter({ readAgain }: Pick<Sent<Endpoint>, 'readAgain'>): void {
  void readAgain();
}

/** The person has read already that no answer came. */
function ignored(): void {}

/**
 * Without its database the server can do nothing, and says when to ask again. A single feature that is out does not say
 * so.
 */
function isAway({ status, headers }: Response): boolean {
  return status === 503 && headers.has('retry-after');
}

/**
 * What is given up or written on leaving arrives even if the tab closes. Null if the request ends with its page,
 * because a browser refuses at once to keep more than 64 KiB of all such requests together.
 */
function bytesKeptAlive({ method }: Endpoint, content = ''): number | null {
  const isWrittenOnLeaving = content !== '' && document.visibilityState === 'hidden';
  if (method !== 'DELETE' && !isWrittenOnLeaving) return null;
  const bytes = new TextEncoder().encode(content).length;
  return keptAlive + bytes <= mostKeptAlive ? bytes : null;
}

export function addressOf(endpoint: Endpoint, { params = {}, query = {} }: Omit<LooseInput, 'body'>): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  return search.size > 0 ? `${path}?${search}` : path;
}
