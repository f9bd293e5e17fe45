import type { Endpoint, InputOf, ResponseOf } from '#contract/endpoint.ts';
import { actHeader, changedFactsHeader } from '#contract/facts.ts';
import { errorFrom, networkError } from './api-error.ts';
import { noteAnswer } from './connection.ts';
import { isProofGiven } from './fresh-proof.ts';
import { newKey } from './new-key.ts';

/** Far more than any endpoint takes. Without a limit, a call would wait for ever on a network that died in silence. */
const answerWithinMs = 60_000;

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
export async function call<E extends Endpoint>(endpoint: E, ...input: CallInput<E>): Promise<ResponseOf<E>> {
  const { reply, readAgain } = await send(endpoint, ...input);
  void readAgain();
  return reply;
}

interface Sent<E> {
  reply: ResponseOf<E>;
  /** Ends when every query that shows what changed was read again. */
  readAgain: () => Promise<unknown>;
}

/** The same for a caller who waits until all has been read again. */
export async function send<E extends Endpoint>(endpoint: E, ...[input]: CallInput<E>): Promise<Sent<E>> {
  const { body, ...place } = (input ?? {}) as LooseInput;
  const content = body === undefined ? undefined : JSON.stringify(body);
  const kept = bytesKeptAlive(endpoint, content);
  keptAlive += kept ?? 0;
  const response = await fetch(addressOf(endpoint, place), {
    method: endpoint.method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(endpoint.method === 'GET' ? {} : { [actHeader]: newAct() }),
    },
    body: content,
    keepalive: kept !== null,
    signal: AbortSignal.timeout(answerWithinMs),
  })
    .catch(notAnswered)
    .finally(() => {
      keptAlive -= kept ?? 0;
    });
  noteAnswer(isAway(response) ? 'unavailable' : 'answered');
  const facts = new Set(response.headers.get(changedFactsHeader)?.split(','));
  const readAgain = async () => (facts.size > 0 ? readWhatShows(facts) : undefined);
  if (!response.ok) {
    const error = await errorFrom(response);
    if (error.code === 'proof_required' && (await isProofGiven())) return send(endpoint, ...([input] as CallInput<E>));
    void readAgain();
    throw error;
  }
  // This also meets an answer that breaks off.
  return { reply: await response.json().catch(notAnswered), readAgain };
}

/**
 * Without its database the server can do nothing, and says when to ask again. A single feature that is out does not say
 * so.
 */
function isAway({ status, headers }: Response): boolean {
  return status === 503 && headers.has('retry-after');
}

function notAnswered(): never {
  noteAnswer('unanswered');
  throw networkError();
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
