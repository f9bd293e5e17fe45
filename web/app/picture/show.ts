import { dashboardReads, sessionPath } from '#contract/first-reads.ts';
import { askEarly } from '../../api/early-answers.ts';
import { fontFamily } from '../../ui/font.ts';
import { canSeal, isAtDashboard, type KeptPicture, openPicture, picturePrefix, shownColorScheme } from './seal.ts';

/** A browser draws sooner, unless nobody sees the page. */
const drawnWithinMs = 100;

/** Resolves when the picture is on the screen, or when it is known that none will be. */
export const pictureShown = showPicture();

/** Shows how the dashboard looked, if what the server answers is what it showed. The app draws the same in its place. */
async function showPicture(): Promise<void> {
  const early = askForWhatThePageNames();
  const kept = readPicture();
  if (!kept || !isAtDashboard() || document.visibilityState === 'hidden') return;
  const path = Object.values(dashboardReads).find((read) => early.has(read.path))?.path ?? '';
  const [session = null, dashboard = null] = await Promise.all([
    early.get(sessionPath),
    early.get(path),
    // A text that comes in another font first is drawn twice.
    document.fonts.load(`1em ${fontFamily}`).catch(() => undefined),
  ]);
  if (session === null || dashboard === null) return;
  const html = await openPicture(kept, [JSON.parse(session), JSON.parse(dashboard)]);
  const place = document.querySelector('#root:has(> .starting)');
  if (html === null || !place) return;
  const picture = document.createElement('div');
  picture.className = 'kept-picture';
  picture.inert = true;
  picture.innerHTML = html;
  document.documentElement.dataset.mantineColorScheme = shownColorScheme();
  place.append(picture);
  await Promise.race([drawn(), new Promise((resolve) => setTimeout(resolve, drawnWithinMs))]);
}

/** The browser began to read it with the page. An answer that nobody takes now would wait for a later call. */
function askForWhatThePageNames(): Map<string, Promise<string | null>> {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="preload"][as="fetch"]');
  const paths = [...links].map(({ href }) => new URL(href).pathname);
  return new Map(paths.map((path) => [path, askEarly(path)]));
}

function drawn(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

function readPicture(): KeptPicture | null {
  if (!canSeal()) return null;
  try {
    const key = Object.keys(localStorage).find((name) => name.startsWith(picturePrefix)) ?? '';
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch (error) {
    // Blocked, or not written by this app.
    if (error instanceof DOMException || error instanceof SyntaxError) return null;
    throw error;
  }
}
