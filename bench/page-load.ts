import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, CDPSession, Page } from '@playwright/test';
import { waitUntilSettled } from '../e2e/looks.ts';

/** What is done to the machine of the person. */
export interface Machine {
  name: string;
  width: number;
  height: number;
  isPhone: boolean;
  /** How many times slower than this machine. */
  slowdown: number;
  network: { bitsDown: number; bitsUp: number; latencyInMs: number } | null;
}

export interface PageLoad {
  requests: number;
  /** With their heads, as they travel. */
  kilobytes: number;
  largestPaintInMs: number;
  longTasks: number;
  longTasksInMs: number;
  /** From a press until the next picture. */
  interactionInMs: number;
}

interface Seen {
  largestPaint: number;
  longTasks: number[];
  events: number[];
}

/** Late pictures and tasks come within this. */
const afterSettledInMs = 1_000;

/** Slows a page down as the machine would, and begins to watch it. */
export async function equip(page: Page, { slowdown, network }: Machine): Promise<CDPSession> {
  await page.addInitScript(watch);
  const tools = await page.context().newCDPSession(page);
  await tools.send('Network.enable');
  await tools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  if (network) {
    await tools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: network.latencyInMs,
      downloadThroughput: network.bitsDown / 8,
      uploadThroughput: network.bitsUp / 8,
    });
  }
  return tools;
}

export function contextOptions({ width, height, isPhone }: Machine): Parameters<Browser['newContext']>[0] {
  return { viewport: { width, height }, isMobile: isPhone, hasTouch: isPhone, deviceScaleFactor: isPhone ? 2 : 1 };
}
type Browser = NonNullable<ReturnType<BrowserContext['browser']>>;

/** Opens the address, waits until the screen is complete, and does one thing there. */
export async function loadPage(
  page: Page,
  tools: CDPSession,
  address: string,
  act: (page: Page) => Promise<void>,
): Promise<PageLoad> {
  const traffic = watchTraffic(tools);
  await page.goto(address);
  await waitUntilSettled(page);
  await pause(afterSettledInMs);
  const { requests, bytes } = traffic();
  const loaded = await readSeen(page);
  await act(page);
  await page.waitForFunction(() => (window as unknown as { seen: Seen }).seen.events.length > 0);
  const { events } = await readSeen(page);
  return {
    requests,
    kilobytes: bytes / 1000,
    largestPaintInMs: loaded.largestPaint,
    longTasks: loaded.longTasks.length,
    longTasksInMs: loaded.longTasks.reduce((sum, ms) => sum + ms, 0),
    interactionInMs: Math.max(...events),
  };
}

function readSeen(page: Page): Promise<Seen> {
  return page.evaluate(() => (window as unknown as { seen: Seen }).seen);
}

/** What comes from the browser's own store is no request. */
function watchTraffic(tools: CDPSession): () => { requests: number; bytes: number } {
  const sent = new Set<string>();
  let bytes = 0;
  const onSent = ({ requestId, request }: { requestId: string; request: { url: string } }) => {
    if (request.url.startsWith('http')) sent.add(requestId);
  };
  const onKept = ({ requestId }: { requestId: string }) => void sent.delete(requestId);
  const onAnswer = ({ requestId, response }: { requestId: string; response: { fromDiskCache?: boolean } }) => {
    if (response.fromDiskCache) sent.delete(requestId);
  };
  const onEnd = ({ encodedDataLength }: { encodedDataLength: number }) => {
    bytes += encodedDataLength;
  };
  tools.on('Network.requestWillBeSent', onSent);
  tools.on('Network.requestServedFromCache', onKept);
  tools.on('Network.responseReceived', onAnswer);
  tools.on('Network.loadingFinished', onEnd);
  return () => {
    tools.off('Network.requestWillBeSent', onSent);
    tools.off('Network.requestServedFromCache', onKept);
    tools.off('Network.responseReceived', onAnswer);
    tools.off('Network.loadingFinished', onEnd);
    return { requests: sent.size, bytes };
  };
}

/** Runs in the page, ahead of its own scripts. */
function watch(): void {
  const seen: Seen = { largestPaint: 0, longTasks: [], events: [] };
  Object.assign(window, { seen });
  const observe = (type: string, note: (entry: PerformanceEntry) => void, more: object = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...more });
  observe('largest-contentful-paint', ({ startTime }) => {
    seen.largestPaint = startTime;
  });
  observe('longtask', ({ duration }) => seen.longTasks.push(duration));
  const noteEvent = (entry: PerformanceEntry) => {
    if ((entry as PerformanceEntry & { interactionId: number }).interactionId) seen.events.push(entry.duration);
  };
  observe('event', noteEvent, { durationThreshold: 16 });
  observe('first-input', ({ duration }) => seen.events.push(duration));
}
