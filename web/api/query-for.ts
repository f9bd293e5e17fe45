import {
  infiniteQueryOptions,
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  queryOptions,
} from '@tanstack/react-query';
import { readSession } from '#contract/accounts.ts';
import type { Endpoint, InputOf, ResponseOf, Showing } from '#contract/endpoint.ts';
import type { Fact } from '#contract/facts.ts';
import { ApiError, isSignedOut } from './api-error.ts';
import { type CallInput, call, whenFactsChange } from './call.ts';

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
  queryCache: new QueryCache({ onError: noticeEndOfSession }),
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

function isOfNoUse(query: Query): boolean {
  const { status, data } = query.state;
  return status === 'error' && data === undefined && query.getObserversCount() === 0;
}

export function queryFor<E extends Endpoint & Showing>(endpoint: E, ...input: CallInput<E>) {
  return queryOptions<ResponseOf<E>>({
    ...showing(endpoint),
    queryKey: [endpoint.name, input[0] ?? {}],
    queryFn: () => call(endpoint, ...input),
  });
}

/** For endpoints that answer a page with `rows` and `nextCursor`. */
export function pagesFor<E extends Endpoint & Showing>(endpoint: E, input: InputOf<E>) {
  type Page = ResponseOf<E> & { nextCursor: string | null };
  return infiniteQueryOptions({
    ...showing(endpoint),
    queryKey: [endpoint.name, input, 'pages'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => {
      const { query = {}, ...rest } = input as { query?: Record<string, unknown> };
      const withCursor = [{ ...rest, query: { ...query, cursor: pageParam } }] as unknown as CallInput<E>;
      return call(endpoint, ...withCursor) as Promise<Page>;
    },
    getNextPageParam: (page: Page) => page.nextCursor ?? undefined,
  });
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
  return error instanceof ApiError && (error.code === 'network' || error.status >= 500);
}

/** If the server says that nobody is signed in, or not fully, the session is read again, and the guard shows it. */
function noticeEndOfSession(error: unknown): void {
  const isNotFully =
    error instanceof ApiError && (error.code === 'second_factor_required' || error.code === 'password_change_required');
  if (isSignedOut(error) || isNotFully) void queryClient.invalidateQueries({ queryKey: [readSession.name] });
}
