import type { Browser, BrowserContextOptions, Page } from '@playwright/test';

/** What a test may ask of a window; Playwright's settings of the run apply beside it. */
export type WindowOptions = Pick<
  BrowserContextOptions,
  'colorScheme' | 'hasTouch' | 'isMobile' | 'timezoneId' | 'userAgent' | 'viewport'
>;

interface KeptWindow {
  kind: string;
  page: Page;
  /** Where the page was since it was last emptied. */
  origins: Set<string>;
  isTaken: boolean;
}

const usualViewport = { width: 1280, height: 720 };
/** Every instance serves it, and nothing of the app with it. */
const quietPlace = '/favicon.svg';
/** No request goes there. */
const nowhere = /^nowhere:/;
const stored = 'cache_storage,indexeddb,local_storage,service_workers';

/**
 * Browser windows that the tests of one worker use one after the other. Each has cookies and storage of its own, as the
 * browser of one person; after a test it is emptied, but what the browser has read and compiled of the app stays. In a
 * new window that takes longer than most tests' own steps.
 *
 * What can't be taken back belongs into a new browser (`pageInNewBrowser`): init scripts, exposed functions, a set
 * clock, and what is asked of the browser's own tools.
 */
export class Windows {
  readonly #browser: Browser;
  #kept: KeptWindow[] = [];

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  async open({ viewport, colorScheme, ...options }: WindowOptions): Promise<Page> {
    // A phone's screen can't become a desk's; any other window takes the size that is asked for.
    const kept = await this.#take(options.isMobile ? { ...options, viewport } : options);
    await kept.page.emulateMedia({ colorScheme: colorScheme ?? 'light', reducedMotion: 'reduce' });
    await kept.page.setViewportSize(viewport ?? usualViewport);
    return kept.page;
  }

  async #take(options: WindowOptions): Promise<KeptWindow> {
    const kind = JSON.stringify(Object.entries(options).sort());
    const free = this.#kept.find((kept) => kept.kind === kind && !kept.isTaken);
    if (free) {
      free.isTaken = true;
      return free;
    }
    const page = await (await this.#browser.newContext(options)).newPage();
    keepInterceptionOn(page);
    const kept = { kind, page, origins: new Set<string>(), isTaken: true };
    page.on('framenavigated', (frame) => {
      const { origin, protocol } = new URL(frame.url());
      if (protocol === 'http:') kept.origins.add(origin);
    });
    this.#kept.push(kept);
    return kept;
  }

  /** After a test. A window that can't be emptied, say because its server has ended, is closed, and a new one follows. */
  async emptyTaken(): Promise<void> {
    const taken = this.#kept.filter(({ isTaken }) => isTaken);
    await Promise.all(
      taken.map(async (kept) => {
        // What the page itself was about to do can cross the first try.
        const isEmpty = await empty(kept)
          .catch(() => empty(kept))
          .catch(() => false);
        kept.isTaken = false;
        if (isEmpty) return;
        this.#kept = this.#kept.filter((other) => other !== kept);
        await kept.page.context().close();
      }),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#kept.map(({ page }) => page.context().close()));
  }
}

/**
 * What a test intercepts first keeps interception on in that window, until it is emptied. Where it is switched off while
 * requests are on their way, as the end of a test's last interception does, some of them are never answered.
 */
export function keepInterceptionOn(page: Page): void {
  const route = page.route.bind(page);
  page.route = async (...asked) => {
    await page.context().route(nowhere, (other) => other.fallback());
    return route(...asked);
  };
}

/** False where the window can't be used again. */
async function empty({ page, origins }: KeptWindow): Promise<boolean> {
  if (page.isClosed()) return false;
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  for (const event of ['dialog', 'request', 'response'] as const) page.removeAllListeners(event);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  await context.clearPermissions();
  const tools = await context.newCDPSession(page);
  for (const origin of origins) {
    await page.goto(origin + quietPlace, { timeout: 2000 });
    await page.evaluate(() => sessionStorage.clear());
    await tools.send('Storage.clearDataForOrigin', { origin, storageTypes: stored });
  }
  await tools.detach();
  await context.clearCookies();
  origins.clear();
  return true;
}
