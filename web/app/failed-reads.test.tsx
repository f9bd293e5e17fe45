import { act } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { Role } from '#contract/roles.ts';
import { readContract } from '#test/support/contract.ts';
import { sampleOf } from '#test/support/sample-body.ts';
import { answers, open, refused, robin, serveScreens, sessionOf, toasts } from '#test/support/web-screens.tsx';
import { pagesOf } from '../../e2e/demo-pages.ts';
import { queryClient } from '../api/query-for.ts';

serveScreens();

const id = '00000000-0000-7000-8000-00000000000a';
/** The pages that the browser tests look at, and the dialogs and tabs that an address opens on them. */
const placesOf = {
  participant: [
    ...pagesOf.participant,
    `/cohorts?with=${id}`,
    '/training-calendar?dialog=subscribe',
    '/training-calendar?view=list',
    `/fellowship/modules?file=${id}`,
  ],
  coach: [
    ...pagesOf.coach,
    `/cohorts?with=${id}`,
    `/submissions?review=${id}`,
    `/cohort-progress?cohort=${id}&member=${id}`,
  ],
  admin: [
    ...pagesOf.admin,
    `/cohorts?with=${id}`,
    `/cohorts?with=${id}&opening=${id}`,
    `/submissions?review=${id}`,
    `/admin/stipend-management?cohort=${id}`,
    `/admin/content-management?activity=${id}`,
    `/admin/audit-log?person=${id}`,
    `/admin/programme-setup?cohort=${id}`,
    '/admin/programme-setup?tab=courses',
    '/admin/programme-setup?tab=tracks',
    '/admin/programme-setup?tab=requirements',
    `/admin/programme-setup?tab=requirements&cohort=${id}`,
  ],
};

interface Failure {
  endpoint: Endpoint;
  status: 404 | 500;
}
/** After a server's failure, three more tries follow the first. */
const mostReads = { 500: 4, 404: 1 };
/** Far more than any screen reads when it opens. */
const endless = 40;

/**
 * A record's address has a parameter where another address may have a fixed word. So the addresses with fixed words
 * come first.
 */
const contract = (await readContract())
  .filter(({ binary }) => !binary)
  .toSorted((one, other) => one.path.split(':').length - other.path.split(':').length);
let asked: { endpoint: Endpoint; address: string }[] = [];
let failing: Failure | 'next pages' | 'every read' | null = null;

beforeEach(() => {
  // React warns about the made-up data: rows with the same id, addresses without a picture.
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  const answer = globalThis.fetch as (address: string, init?: object) => Promise<Response>;
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(address, 'http://test.example');
    const isAsked = ({ method, path }: Endpoint) =>
      method === (init.method ?? 'GET') && new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(pathname);
    const endpoint = contract.find(isAsked);
    if (endpoint) asked.push({ endpoint, address });
    const isNextPage = searchParams.has('cursor');
    const failure = failureOf(endpoint, isNextPage);
    if (failure) return refused(failure === 500 ? 'internal' : 'not_found', 'It failed, as wished.')() as Response;
    const given = await answer(address, init);
    return isNextPage ? Response.json({ ...(await given.json()), nextCursor: null }) : given;
  });
});

function failureOf(endpoint: Endpoint | undefined, isNextPage: boolean) {
  if (failing === 'next pages') return isNextPage && 500;
  if (failing === 'every read') return endpoint?.method === 'GET' && endpoint !== readSession && 500;
  return endpoint === failing?.endpoint && failing?.status;
}

async function look(role: string, place: string, fail: typeof failing): Promise<void> {
  for (const endpoint of contract) answers.set(endpoint, () => wholeSampleOf(endpoint));
  answers.set(readSession, () => sessionOf({ ...robin, role: Role.parse(role) }));
  queryClient.clear();
  asked = [];
  failing = fail;
  await open(place.replace(/\/one$/, `/${id}`));
  await quiet();
}

function wholeSampleOf({ response }: Endpoint): object {
  const sample = sampleOf(response) as object;
  return 'notLoaded' in sample ? { ...sample, notLoaded: [] } : sample;
}

/** Waits until the parts of the screen have come and all reads have ended, or until these prove endless. */
async function quiet(): Promise<void> {
  let looks = 0;
  const isQuiet = () => queryClient.isFetching() === 0 && document.querySelector('h1') !== null;
  const isOver = async () => {
    await act(() => vi.dynamicImportSettled());
    looks = isQuiet() ? looks + 1 : 0;
    return looks > 3 || asked.length > endless;
  };
  await vi.waitUntil(isOver, { interval: 5 });
}

const timesAsked = (endpoint: Endpoint) => asked.filter((one) => one.endpoint === endpoint).length;
const tryAgain = () =>
  [...document.querySelectorAll('button')].filter(({ textContent }) => textContent?.startsWith('Try again'));
const errors = () => toasts.filter(([type]) => type === 'error');
const title = () => document.querySelector('h1')?.textContent;
/** Replaces a screen that threw. Its made-up records would show nothing about its reads. */
const crashed = /Something went wrong/;
const isLoading = () => document.querySelector('[aria-busy=true], .mantine-Skeleton-root') !== null;

function mostOfOneAddress(endpoint: Endpoint): number {
  const addresses = asked.filter((one) => one.endpoint === endpoint);
  return Math.max(...[...Map.groupBy(addresses, ({ address }) => address).values()].map(({ length }) => length));
}

/** True if something says that the read failed. If the screen gives way to another one, a toast says it. */
function isSaid(): boolean {
  const alerts = [...document.querySelectorAll('[role=alert]')].filter(({ textContent }) => textContent);
  return alerts.length > 0 || errors().length > 0 || /Not loaded|not found/.test(document.body.textContent ?? '');
}

/** Each text that people read, once: headings, labels, cells. */
function words(): string[] {
  const walker = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
  const found = new Set<string>();
  while (walker.nextNode()) found.add(walker.currentNode.textContent ?? '');
  return [...found];
}

/** Lists the faults of the screen that was just opened with this failing read. */
function faultsOf({ endpoint, status }: Failure, whole: Map<Endpoint, number>, place: string): string[] {
  const most = mostOfOneAddress(endpoint);
  const acts = [...whole].filter(([act, times]) => act.method !== 'GET' && timesAsked(act) > times);
  // An activity that cannot be read leads to the calendar, which says so in a toast.
  const isElsewhere = location.pathname + location.search !== place.replace(/\/one$/, `/${id}`);
  return [
    ...(most > mostReads[status] * (whole.get(endpoint) ?? 1) ? [`is asked ${most} times`] : []),
    ...(isSaid() ? [] : ['is not said']),
    ...(status === 500 && tryAgain().length === 0 && !isElsewhere ? ['has no Try again'] : []),
    ...(isLoading() ? ['seems to load'] : []),
    ...(crashed.test(title() ?? '') ? ['breaks the screen'] : []),
    ...acts.map(([act]) => `has ${act.name} sent again`),
  ];
}

for (const [role, places] of Object.entries(placesOf)) {
  for (const place of new Set(places)) {
    test(`${role} at ${place}: one press of Try again reads again all that failed`, async () => {
      await look(role, place, null);
      const ofRows = tryAgain().length;
      await look(role, place, 'every read');
      const failed = tryAgain().length;
      // The first and the last one stand for those between them.
      for (const press of new Set([0, failed - 1].slice(0, failed))) {
        if (failing === null) await look(role, place, 'every read');
        expect(tryAgain()).toHaveLength(failed);
        failing = null;
        await act(async () => tryAgain()[press]?.click());
        await quiet();
        expect(tryAgain()).toHaveLength(ofRows);
      }
      toasts.length = 0;
    });

    test(`${role} at ${place}: a read that fails is said, asked for no more, and works again with Try again`, async () => {
      await look(role, place, null);
      // A row may have an act of that name.
      const ofRows = tryAgain().length;
      const readsOn = asked.some(({ address }) => address.includes('cursor='));
      expect([title(), isLoading(), errors()]).toEqual([expect.not.stringMatching(crashed), false, []]);
      const all = new Set(asked.map(({ endpoint }) => endpoint).filter((endpoint) => endpoint !== readSession));
      const whole = new Map([...all].map((endpoint) => [endpoint, timesAsked(endpoint)]));
      const reads = [...all].filter(({ method }) => method === 'GET');
      const faults: string[] = [];
      for (const endpoint of reads) {
        const found = (status: number, what: string[]) =>
          faults.push(...what.map((fault) => `${endpoint.name}, ${status}: ${fault}`));
        await look(role, place, { endpoint, status: 404 });
        found(404, faultsOf({ endpoint, status: 404 }, whole, place));
        toasts.length = 0;
        await look(role, place, { endpoint, status: 500 });
        found(500, faultsOf({ endpoint, status: 500 }, whole, place));
        toasts.length = 0;
        failing = null;
        await act(async () => tryAgain().forEach((button) => void button.click()));
        await quiet();
        if (tryAgain().length !== ofRows || isLoading()) found(500, ['stays with Try again']);
        const shown = words();
        for (const status of [404, 500] as const) {
          failing = { endpoint, status };
          await act(async () => void queryClient.invalidateQueries({ queryKey: [endpoint.name] }));
          await quiet();
          const left = new Set(words());
          const lost = shown.filter((text) => !left.has(text));
          if (lost.length > 0) found(status, [`takes away ${lost.slice(0, 5).join(', ')}`]);
        }
        toasts.length = 0;
        asked = [];
      }
      if (readsOn) await look(role, place, 'next pages');
      if (asked.length > endless) faults.push('A next page that fails is asked for without end');
      expect(faults.join('\n')).toBe('');
    });
  }
}
