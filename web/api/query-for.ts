import {
  hashKey,
  infiniteQueryOptions,
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  queryOptions,
} from '@tanstack/react-query';
import { readSession } from '#contract/accounts.ts';
import type { Endpoint, InputOf, PlainRead, ResponseOf, Showing } from '#contract/endpoint.ts';
import type { Fact } from '#contract/facts.ts';
import type { AskedRead } from '#contract/first-reads.ts';
import { ApiError, isSignedOut, isSilence } from './api-error.ts';
import { type CallInput, type Sent, send, whenFactsChange } from './call.ts';
import { silenceInMs } from './patience.ts';

const firstRetryInMs = 200;
const retries = 3;

declare module '@tanstack/react-query' {
  interface Register {
    /** The facts that a query shows, as its endpoint says. */
    queryMeta: { shows?: readonly Fact[] };
  }
}

/** The whole app has one cache. Its keys begin with the names of endpoints. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey: [name] }) => name !== readSession.name && noticeEndOfSession(error),
  }),
  mutationCache: new MutationCache({ onError: noticeEndOfSession }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // An offline call fails at once and says so, instead of waiting in silence.
      networkMode: 'always',
      // AUTH-43: a background read that failed is tried again. The delay doubles.
      retry: (failures, error) => failures < retries && isWorthRetrying(error),
      retryDelay: (failures) => firstRetryInMs * 2 ** failures,
      // Otherwise a part that shows a failed read together with another one would have it read again by appearing, for
      // ever.
      retryOnMount: false,
    },
    mutations: { networkMode: 'always' },
  },
});

/** When nothing on the screen shows a failed read any more, it goes. The next part that shows it reads anew. */
queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type !== 'observerRemoved' && type !== 'updated') return;
  // The part that takes its place may show it too.
  if (isOfNoUse(query)) setTimeout(() => isOfNoUse(query) && queryClient.getQueryCache().remove(query));
});

/** What one press asks for: everything on the screen that failed. What is read again already goes on. */
export function readFailedAgain(): void {
  const failed = { type: 'active', predicate: ({ state }: Query) => state.status === 'error' } as const;
  void queryClient.refetchQueries(failed, { cancelRefetch: false });
}

function isOfNoUse(query: Query): boolean {
  const { status, data } = query.state;
  return status === 'error' && data === undefined && query.getObserversCount() === 0;
}

export function queryFor<E extends Endpoint & Showing>(endpoint: E, ...input: CallInput<E>) {
  return queryOptions<ResponseOf<E>>({
    ...showing(endpoint),
    queryKey: queryKeyOf(endpoint, ...input),
    queryFn: () => {
      const queryKey = queryKeyOf(endpoint, ...input);
      return readInTime(endpoint, input[0], queryKey, (late) => queryClient.setQueryData(queryKey, late));
    },
  });
}

function queryKeyOf(endpoint: Endpoint, ...[input]: unknown[]) {
  return [endpoint.name, input ?? {}];
}

/** The query of a read whose schemas need not be loaded. No call looks at those. */
export function queryForAsked(asked: AskedRead) {
  return queryFor(asked as PlainRead);
}

/** Reads into the cache what a screen will show that is not loaded yet. */
export function readAhead(asked: AskedRead): Promise<void> {
  return queryClient.prefetchQuery(queryForAsked(asked));
}

/** For endpoints that answer a page with `rows` and `nextCursor`. */
export function pagesFor<E extends Endpoint & Showing>(endpoint: E, input: InputOf<E>) {
  type Page = ResponseOf<E> & { nextCursor: string | null };
  const queryKey = [endpoint.name, input, 'pages'];
  return infiniteQueryOptions({
    ...showing(endpoint),
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => {
      const { query = {}, ...rest } = input as { query?: Record<string, unknown> };
      const withCursor = { ...rest, query: { ...query, cursor: pageParam } } as InputOf<E>;
      const placeFirst = (late: ResponseOf<E>) =>
        pageParam === undefined && queryClient.setQueryData(queryKey, { pages: [late], pageParams: [undefined] });
      return readInTime(endpoint, withCursor, queryKey, placeFirst) as Promise<Page>;
    },
    getNextPageParam: (page: Page) => page.nextCursor ?? undefined,
  });
}

/** What is still awaited of a query. Another read of it gives that up, because a browser keeps few connections. */
const awaited = new Map<string, AbortController>();
/** When the first of the tries that ended with this failure began. */
const begunAt = new WeakMap<object, number>();

/**
 * All tries together end in time, so the person reads that no answer has come. An answer that comes later is placed
 * where the failure stands, unless the query was read again.
 */
async function readInTime<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E> | undefined,
  queryKey: readonly unknown[],
  placeLate: (late: ResponseOf<E>) => unknown,
): Promise<ResponseOf<E>> {
  const hash = hashKey(queryKey);
  const lastFailure = queryClient.getQueryState(queryKey)?.fetchFailureReason;
  const begun = (lastFailure && begunAt.get(lastFailure)) ?? Date.now();
  const giveUp = new AbortController();
  awaited.get(hash)?.abort();
  awaited.set(hash, giveUp);
  const end = () => awaited.get(hash) === giveUp && awaited.delete(hash);
  const whenLate = ({ reply }: Sent<E>) => end() && placeLate(reply);
  try {
    const { reply } = await send(endpoint, input, { limitInMs: begun + silenceInMs - Date.now(), whenLate, giveUp });
    end();
    return reply;
  } catch (error) {
    if (error instanceof ApiError) begunAt.set(error, begun);
    if (!isSilence(error)) end();
    throw error;
  }
}

/** A query carries the facts that its endpoint shows, and is read again when one of them changes. */
export function showing({ shows }: Showing) {
  return { meta: { shows } };
}

whenFactsChange((facts) => Promise.all(queriesShowing(facts).map(readAgain)));

export function queriesShowing(facts: ReadonlySet<string>): Query[] {
  return queryClient
    .getQueryCache()
    .findAll({ predicate: ({ meta }) => meta?.shows?.some((fact) => facts.has(fact)) ?? false });
}

/** For changes that no fact stands for: the session when its way changes, and uploads that do not go through `call`. */
export function refresh(endpoints: readonly Pick<Endpoint, 'name'>[]): Promise<unknown> {
  const queries = endpoints.flatMap(({ name }) => queryClient.getQueryCache().findAll({ queryKey: [name] }));
  return Promise.all(queries.map(readAgain));
}

/** A first read that is on its way may have looked before the change. It is not begun anew. Another one follows it. */
export async function readAgain({ queryKey, state }: Query): Promise<void> {
  const filters = { queryKey, exact: true };
  const isFirst = state.fetchStatus === 'fetching' && state.data === undefined;
  await queryClient.invalidateQueries(filters);
  if (isFirst) await queryClient.invalidateQueries(filters);
}

function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.isSilence) return false;
  return error.code === 'network' || error.status >= 500;
}

/** If the server says that nobody is signed in, or not fully, the session is read again, and the guard shows it. */
function noticeEndOfSession(error: unknown): void {
  const isNotFully =
    error instanceof ApiError && (error.code === 'second_factor_required' || error.code === 'password_change_required');
  // If the session is not answered either, the server is away, and the note of the shell says so.
  if (isSignedOut(error) || isNotFully || isSilence(error))
    void queryClient.invalidateQueries({ queryKey: [readSession.name] });
}
