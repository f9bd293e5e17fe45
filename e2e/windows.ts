import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { busyness } from '#test/support/patience.ts';

/** The options that a test may set for a window, beside Playwright's settings of the run. */
export type WindowOptions = Pick<
  BrowserContextOptions,
  'colorScheme' | 'hasTouch' | 'isMobile' | 'timezoneId' | 'userAgent' | 'viewport'
>;

interface KeptWindow {
  kind: string;
  page: Page;
  /** The origins that the page has visited since it was last emptied. */
  origins: Set<string>;
  isTaken: boolean;
}

const usualViewport = { width: 1280, height: 720 };
/** Every instance serves this, and it loads nothing of the app. */
const quietPlace = '/favicon.svg';
/** No request goes there. */
const nowhere = /^nowhere:/;
const stored = 'cache_storage,indexeddb,local_storage,service_workers';

/**
 * Browser windows that one worker's tests use one after the other. Each has its own cookies and storage, like one
 * person's browser. After a test, a window is emptied, but keeps what the browser has read and compiled of the app. A
 * new window would need longer for that than most tests need for their own steps.
 *
 * Some things cannot be undone and need a new browser (`pageInNewBrowser`): init scripts, exposed functions, a set
 * clock, and use of the browser's own tools.
 */
export class Windows {
  readonly #browser: Browser;
  #kept: KeptWindow[] = [];

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  async open({ viewport, colorScheme, ...options }: WindowOptions): Promise<Page> {
    // A phone's screen cannot become a desk's. Any other window takes the requested size.
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

  /**
   * Runs after a test. Closes a window that cannot be emptied, for example because its server has ended. A new one
   * follows.
   */
  async emptyTaken(): Promise<void> {
    const taken = this.#kept.filter(({ isTaken }) => isTaken);
    await Promise.all(
      taken.map(async (kept) => {
        // The page's own navigation can collide with the first try.
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
 * A test's first interception keeps interception on in that window until it is emptied. Otherwise the end of the last
 * interception switches it off. Requests that are on their way then may never get an answer.
 */
export function keepInterceptionOn(page: Page): void {
  const route = page.route.bind(page);
  page.route = async (...asked) => {
    await page.context().route(nowhere, (other) => other.fallback());
    return route(...asked);
  };
}

/** Returns false if the window cannot be used again. */
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
    await page.goto(origin + quietPlace, { timeout: 2000 * busyness() });
    await page.evaluate(() => sessionStorage.clear());
    await tools.send('Storage.clearDataForOrigin', { origin, storageTypes: stored });
  }
  await tools.detach();
  await context.clearCookies();
  origins.clear();
  return true;
}
