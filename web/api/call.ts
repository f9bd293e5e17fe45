import type { Endpoint, InputOf, ResponseOf } from '#contract/endpoint.ts';
import { errorFrom, networkError } from './api-error.ts';
import { noteAnswer } from './connection.ts';
import { isProofGiven } from './fresh-proof.ts';

/** Far more than any endpoint takes: without an end, a call would wait for ever on a network that died in silence. */
const answerWithinMs = 60_000;

const mostKeptAlive = 64 * 1024;
let keptAlive = 0;

interface LooseInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

type NeedsNothing<E> = Record<never, never> extends InputOf<E> ? true : false;
/** The input may be left out where the endpoint takes none. */
export type CallInput<E> = NeedsNothing<E> extends true ? [input?: InputOf<E>] : [input: InputOf<E>];

/** Calls an endpoint; throws ApiError when it refuses or can't be reached. */
export async function call<E extends Endpoint>(endpoint: E, ...[input]: CallInput<E>): Promise<ResponseOf<E>> {
  const { body, ...place } = (input ?? {}) as LooseInput;
  const content = body === undefined ? undefined : JSON.stringify(body);
  const kept = bytesKeptAlive(endpoint, content);
  keptAlive += kept ?? 0;
  const response = await fetch(addressOf(endpoint, place), {
    method: endpoint.method,
    credentials: 'same-origin',
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: content,
    keepalive: kept !== null,
    signal: AbortSignal.timeout(answerWithinMs),
  })
    .catch(notAnswered)
    .finally(() => {
      keptAlive -= kept ?? 0;
    });
  noteAnswer(isAway(response) ? 'unavailable' : 'answered');
  if (!response.ok) {
    const error = await errorFrom(response);
    if (error.code === 'proof_required' && (await isProofGiven())) return call(endpoint, ...([input] as CallInput<E>));
    throw error;
  }
  // Also an answer that breaks off.
  return response.json().catch(notAnswered);
}

/** Without its database the server can do nothing, and says when to ask again; one feature that is out says nothing of that. */
function isAway({ status, headers }: Response): boolean {
  return status === 503 && headers.has('retry-after');
}

function notAnswered(): never {
  noteAnswer('unanswered');
  throw networkError();
}

/**
 * What is given up or written on leaving arrives even when the tab closes. Null where the request ends with its page:
 * a browser refuses at once what it would have to keep beyond 64 KiB, of all such requests together.
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
