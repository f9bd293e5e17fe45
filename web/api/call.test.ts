import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { readSession, SignedInUser } from '#contract/accounts.ts';
import { endpoint, Id } from '#contract/endpoint.ts';
import { ApiError, messageOf } from './api-error.ts';
import { addressOf, call, isOwnAct } from './call.ts';
import { pagesFor, queryClient, queryFor } from './query-for.ts';

const readThing = endpoint({
  name: 'readThing',
  method: 'GET',
  path: '/api/things/:id',
  access: 'public',
  summary: 'A thing.',
  shows: ['resources'],
  params: z.object({ id: z.string() }),
  query: z.object({ text: z.string().optional(), cursor: z.string().optional() }),
  response: z.object({ rows: z.array(z.string()), nextCursor: z.string().nullable() }),
});
const renameThing = endpoint({
  name: 'renameThing',
  method: 'PUT',
  path: '/api/things/:id/name',
  access: 'public',
  summary: 'Renames a thing.',
  params: z.object({ id: Id }),
  body: z.object({ name: z.string() }),
  response: z.object({ id: Id }),
});

const removeThing = endpoint({
  name: 'removeThing',
  method: 'DELETE',
  path: '/api/things/:id',
  access: 'public',
  summary: 'Removes a thing.',
  params: z.object({ id: z.string() }),
  response: z.object({ id: Id }),
});

const thing = { params: { id: 'a' }, query: {} };

const closeScreens: (() => void)[] = [];
afterEach(() => {
  for (const close of closeScreens.splice(0)) close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  queryClient.clear();
});

/** The server answers in turn. The last answer stands for every further request. */
function answering(...answers: (() => Response | Promise<Response>)[]) {
  const fetched = vi.fn((_address: string, _init: RequestInit) => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return Promise.resolve().then(() => answer?.() as Response);
  });
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

function problem(status: number, code: string, detail: string, errors: object[] | null = null) {
  const body = {
    type: `urn:switchyard:error:${code}`,
    title: 'Refused',
    status,
    code,
    detail,
    instance: 'r-1',
    errors,
  };
  return () => Response.json(body, { status });
}

const unreachable = () => Promise.reject(new TypeError('Failed to fetch'));
const refusal = (run: Promise<unknown>) =>
  run.then(
    () => Promise.reject(new Error('It was not refused.')),
    (error: unknown) => error,
  );

/** The cache of a screen that shows the thing. */
function openScreen() {
  const observer = new QueryObserver(queryClient, queryFor(readThing, thing));
  closeScreens.push(observer.subscribe(() => undefined));
  return observer;
}

test('an address has its parameters escaped and leaves out what is not asked for', () => {
  expect(addressOf(readThing, { params: { id: 'a/b ü' }, query: { text: 'x & y', cursor: undefined } })).toBe(
    '/api/things/a%2Fb%20%C3%BC?text=x+%26+y',
  );
  expect(addressOf(readThing, { params: { id: 'a' }, query: { text: '' } })).toBe('/api/things/a');
});

test('a write goes as JSON with the cookie of this site', async () => {
  const fetched = answering(() => Response.json({ id: 'a' }));
  await call(renameThing, { params: { id: 'a' }, body: { name: 'Feeder' } });
  const [address, init] = fetched.mock.calls[0] ?? [];
  expect(address).toBe('/api/things/a/name');
  expect(init).toMatchObject({ method: 'PUT', credentials: 'same-origin', body: '{"name":"Feeder"}' });
});

test("ERR1-02 a refusal carries the server's own sentence, its code and the errors of the fields", async () => {
  answering(problem(422, 'invalid_input', 'The name is taken.', [{ path: 'body.name', message: 'Choose another.' }]));
  const error = await refusal(call(renameThing, { params: { id: 'a' }, body: { name: '' } }));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    code: 'invalid_input',
    status: 422,
    requestId: 'r-1',
    fieldErrors: [{ path: 'body.name', message: 'Choose another.' }],
  });
  expect(messageOf(error)).toBe('The name is taken.');
});

test('an unreachable server and an answer that is no problem document have sentences of their own', async () => {
  answering(unreachable);
  const cut = await refusal(call(readThing, thing));
  expect(cut).toMatchObject({ code: 'network', status: 0 });
  expect(messageOf(cut)).toMatch(/^Unable to connect to the server/);

  answering(() => new Response('<html>Bad gateway: secret stack</html>', { status: 502 }));
  const broken = await refusal(call(readThing, thing));
  expect(broken).toMatchObject({ code: 'internal', status: 502 });
  expect(messageOf(broken)).toBe('Something went wrong (502). Please try again.');
});

test('a call that nobody answers for a minute, or whose answer breaks off, ends as with an unreachable server', async () => {
  const minute = new AbortController();
  const deadline = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(minute.signal);
  const fetched = vi.fn(
    (_address: string, { signal }: RequestInit) =>
      new Promise<Response>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  );
  vi.stubGlobal('fetch', fetched);
  const unanswered = refusal(call(renameThing, { params: { id: 'a' }, body: { name: 'Feeder' } }));
  minute.abort(new DOMException('It took too long.', 'TimeoutError'));
  expect(await unanswered).toMatchObject({ code: 'network', status: 0 });
  expect(deadline).toHaveBeenCalledExactlyOnceWith(60_000);
  deadline.mockRestore();

  const brokenOff = new ReadableStream({
    start: (controller) => controller.error(new TypeError('network error')),
  });
  answering(() => new Response(brokenOff));
  expect(await refusal(call(readThing, thing))).toMatchObject({ code: 'network', status: 0 });
});

/** An answer that the test gives when it likes. */
function answerLater() {
  const asked: ((response: Response) => void)[] = [];
  const given = vi.fn((_address: string, _init: RequestInit) => new Promise<Response>((answer) => asked.push(answer)));
  vi.stubGlobal('fetch', given);
  return { given, answer: (index: number, response: Response) => asked[index]?.(response) };
}

test('a read without an answer says so in time and is not tried again by itself; an answer that comes late is shown', async () => {
  vi.useFakeTimers();
  const { given, answer } = answerLater();
  const screen = openScreen();
  await vi.advanceTimersByTimeAsync(7_999);
  expect(screen.getCurrentResult().isPending).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(messageOf(screen.getCurrentResult().error)).toMatch(/^No answer has come yet/);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(given).toHaveBeenCalledTimes(1);
  answer(0, Response.json({ rows: ['late'], nextCursor: null }));
  await vi.advanceTimersByTimeAsync(0);
  expect(screen.getCurrentResult()).toMatchObject({ isSuccess: true, data: { rows: ['late'] } });
});

test('Try again gives up the read that nobody answered, and an answer to it is not shown any more', async () => {
  vi.useFakeTimers();
  const { given, answer } = answerLater();
  const screen = openScreen();
  await vi.advanceTimersByTimeAsync(8_000);
  expect(given.mock.calls[0]?.[1].signal?.aborted).toBe(false);
  void screen.refetch();
  await vi.advanceTimersByTimeAsync(0);
  expect(given).toHaveBeenCalledTimes(2);
  expect(given.mock.calls[0]?.[1].signal?.aborted).toBe(true);
  answer(1, Response.json({ rows: ['second'], nextCursor: null }));
  await vi.advanceTimersByTimeAsync(0);
  answer(0, Response.json({ rows: ['first'], nextCursor: null }));
  await vi.advanceTimersByTimeAsync(0);
  expect(screen.getCurrentResult().data?.rows).toEqual(['second']);
});

test('all tries of a read end within one limit', async () => {
  vi.useFakeTimers();
  const slowFailure = () =>
    new Promise<Response>((answer) => setTimeout(() => answer(problem(503, 'unavailable', 'Busy.')()), 3_000));
  answering(slowFailure);
  const screen = openScreen();
  await vi.advanceTimersByTimeAsync(7_999);
  expect(screen.getCurrentResult().isPending).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(messageOf(screen.getCurrentResult().error)).toMatch(/^No answer has come yet/);
});

test('an act without an answer is not called failed; when the answer comes, what it changed is read again', async () => {
  vi.useFakeTimers();
  const { given, answer } = answerLater();
  const screen = openScreen();
  answer(0, Response.json({ rows: [], nextCursor: null }));
  await vi.advanceTimersByTimeAsync(0);
  const sent = refusal(call(renameThing, { params: { id: 'a' }, body: { name: 'Feeder' } }));
  await vi.advanceTimersByTimeAsync(8_000);
  expect(messageOf(await sent)).toBe(
    'No answer has come yet, so we cannot say whether this arrived. You can try again.',
  );
  // Live news of it would tell something new.
  expect(isOwnAct(new Headers(given.mock.calls[1]?.[1].headers).get('x-act') ?? '')).toBe(false);
  answer(1, Response.json({ id: 'a' }, { headers: { 'x-changed-facts': 'resources' } }));
  await vi.advanceTimersByTimeAsync(0);
  answer(2, Response.json({ rows: ['Feeder'], nextCursor: null }));
  await vi.advanceTimersByTimeAsync(0);
  expect(screen.getCurrentResult().data?.rows).toEqual(['Feeder']);
});

test('what is written on leaving outlives its page, as far as browsers keep it: 64 KiB of all that is under way', async () => {
  const underWay: (() => void)[] = [];
  const answered = () => new Promise<Response>((answer) => underWay.push(() => answer(Response.json({ id: 'a' }))));
  const fetched = answering(answered);
  const rename = (name: string) => call(renameThing, { params: { id: 'a' }, body: { name } });
  const isKept = () => fetched.mock.lastCall?.[1].keepalive;
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  const around = '{"name":""}'.length;
  const calls = [rename('Feeder')];
  expect(isKept()).toBe(false);
  visibility.mockReturnValue('hidden');
  // Each character takes three bytes.
  calls.push(rename('€'.repeat(20_000)));
  expect(isKept()).toBe(true);
  calls.push(rename('x'.repeat(65_536 - 60_000 - 2 * around + 1)));
  expect(isKept()).toBe(false);
  calls.push(rename('x'.repeat(65_536 - 60_000 - 2 * around)));
  expect(isKept()).toBe(true);
  calls.push(call(removeThing, thing));
  expect(isKept()).toBe(true);
  await vi.waitFor(() => expect(underWay).toHaveLength(calls.length));
  for (const answer of underWay) answer();
  await Promise.all(calls);
  const later = rename('x'.repeat(65_536 - around));
  expect(isKept()).toBe(true);
  await vi.waitFor(() => expect(underWay).toHaveLength(calls.length + 1));
  underWay.at(-1)?.();
  await later;
  visibility.mockRestore();
});

test('a server that says when to come back is heard, in seconds or as a date', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-03-02T15:00:00Z') });
  for (const [header, wait] of [
    ['7', 7_000],
    ['Mon, 02 Mar 2026 15:00:30 GMT', 30_000],
    ['Mon, 02 Mar 2026 14:00:00 GMT', 0],
    ['soon', 0],
    [null, 0],
  ] as const) {
    const headers: HeadersInit = header === null ? {} : { 'retry-after': header };
    answering(() => new Response(problem(503, 'unavailable', 'It starts.')().body, { status: 503, headers }));
    expect(await refusal(call(readThing, thing))).toMatchObject({ code: 'unavailable', retryAfterInMs: wait });
  }
});

test('AUTH-43 a read that failed on the way is tried again after 200 ms, doubling', async () => {
  vi.useFakeTimers();
  const fetched = answering(unreachable, problem(503, 'unavailable', 'Starting.'), unreachable, () =>
    Response.json({ rows: [], nextCursor: null }),
  );
  const screen = openScreen();
  for (const [delay, requests] of [
    [0, 1],
    [199, 1],
    [1, 2],
    [399, 2],
    [1, 3],
    [799, 3],
    [1, 4],
  ] as const) {
    await vi.advanceTimersByTimeAsync(delay);
    expect(fetched).toHaveBeenCalledTimes(requests);
  }
  expect(screen.getCurrentResult().data).toEqual({ rows: [], nextCursor: null });
});

test('a refusal is final: it is not asked for again', async () => {
  const fetched = answering(problem(404, 'not_found', 'There is no such thing.'));
  const screen = openScreen();
  await vi.waitFor(() => expect(screen.getCurrentResult().isError).toBe(true));
  expect(messageOf(screen.getCurrentResult().error)).toBe('There is no such thing.');
  expect(fetched).toHaveBeenCalledTimes(1);
});

test('what shows a fact that an act changed is read again, and nothing else; live news of the act are known', async () => {
  const fetched = answering(
    () => Response.json({ rows: [], nextCursor: null }),
    () => Response.json({ id: 'a' }, { headers: { 'x-changed-facts': 'files,stipends' } }),
    () => Response.json({ id: 'a' }, { headers: { 'x-changed-facts': 'files,resources' } }),
    () => Response.json({ rows: ['new'], nextCursor: null }),
  );
  const screen = openScreen();
  await vi.waitFor(() => expect(screen.getCurrentResult().isSuccess).toBe(true));
  const rename = () => call(renameThing, { params: { id: 'a' }, body: { name: 'Feeder' } });
  await rename();
  expect(fetched).toHaveBeenCalledTimes(2);
  await rename();
  // The read is on its way by the time the act has its reply.
  expect(fetched).toHaveBeenCalledTimes(4);
  await vi.waitFor(() => expect(screen.getCurrentResult().data?.rows).toEqual(['new']));
  expect(fetched).toHaveBeenCalledTimes(4);
  const act = new Headers(fetched.mock.calls[2]?.[1].headers).get('x-act') ?? '';
  expect([isOwnAct(act), isOwnAct(crypto.randomUUID())]).toEqual([true, false]);
  expect(new Headers(fetched.mock.calls[3]?.[1].headers).has('x-act')).toBe(false);
});

test('when the server says that nobody is signed in, the session is read again', async () => {
  answering(problem(401, 'not_authenticated', 'User not authenticated'));
  queryClient.setQueryData([readSession.name, {}], { user: null });
  await refusal(queryClient.fetchQuery(queryFor(readThing, thing)));
  expect(queryClient.getQueryState([readSession.name, {}])?.isInvalidated).toBe(true);
});

test('pages follow the cursor of the page before, and end with it', async () => {
  const fetched = answering(
    () => Response.json({ rows: ['a'], nextCursor: 'after-a' }),
    () => Response.json({ rows: ['b'], nextCursor: null }),
  );
  const options = pagesFor(readThing, { params: { id: 'a' }, query: { text: 'x' } });
  const { pages } = await queryClient.fetchInfiniteQuery({ ...options, pages: 5 });
  expect(pages.flatMap(({ rows }) => rows)).toEqual(['a', 'b']);
  expect(fetched.mock.calls.map(([address]) => address)).toEqual([
    '/api/things/a?text=x',
    '/api/things/a?text=x&cursor=after-a',
  ]);
});

test('DATA-02 the user that the browser knows has id, email, names, role and track type', async () => {
  const user = {
    id: '019a0000-0000-7000-8000-000000000000',
    email: 'robin@people.example',
    firstName: 'Robin',
    lastName: 'Reyes',
    role: 'participant',
    trackType: 'self_learner',
    requestedRole: null,
  };
  expect(SignedInUser.parse(user)).toEqual(user);
  expect(SignedInUser.parse({ ...user, trackType: null }).trackType).toBeNull();
  for (const field of ['id', 'email', 'firstName', 'lastName', 'role', 'trackType']) {
    expect(SignedInUser.safeParse({ ...user, [field]: undefined }).success, field).toBe(false);
  }
  expect(SignedInUser.safeParse({ ...user, role: 'owner' }).success).toBe(false);
});
