import { dashboardReads, sessionPath } from '#contract/first-reads.ts';
import { askEarly } from '../../../api/early-answers.ts';
import { fontFamily } from '../../../ui/font.ts';
import { isAtDashboard } from './place.ts';
import { canKeep, type KeptPicture, openPicture, picturePrefix, type Shown, shownColorScheme } from './seal.ts';

/** A browser draws sooner, unless nobody sees the page. */
const drawnWithinMs = 1_000;

// A font that is first asked for by a text comes after it. If it does not come, the texts stay in the font of the system.
const fontLoaded = document.fonts.load(`1em ${fontFamily}`).catch(() => undefined);

let hasCome = false;

/** Resolves when the picture is on the screen, or when it is known that none will be. */
export const pictureShown = showPicture();

/** The answers and the font are there. What is left is the work of the browser. */
export function pictureHasCome(): boolean {
  return hasCome;
}

/** Stands where the app draws, until then. */
export function shownPicture(): Element | null {
  return document.querySelector('.kept-picture');
}

/** Shows how the dashboard looked, if what the server answers is what it showed. The app draws the same in its place. */
async function showPicture(): Promise<void> {
  const early = askForWhatThePageNames();
  const path = Object.values(dashboardReads).find((read) => early.has(read.path))?.path;
  if (!path || !isAtDashboard() || document.visibilityState === 'hidden') return;
  const kept = readPicture();
  if (!kept) return;
  const [session, dashboard] = await Promise.all([early.get(sessionPath), early.get(path)]);
  if (!session || !dashboard) return;
  const fontCame = fontLoaded.then(() => {
    hasCome = true;
  });
  const [html] = await Promise.all([openPicture(kept, [session, dashboard] as unknown as Shown), fontCame]);
  const place = document.querySelector('#root:has(> .starting)');
  if (html === null || !place) return;
  const picture = document.createElement('div');
  picture.className = 'kept-picture';
  picture.inert = true;
  // Tools that look for roles know no inert.
  picture.ariaHidden = 'true';
  picture.innerHTML = html;
  document.documentElement.dataset.mantineColorScheme = shownColorScheme();
  place.append(picture);
  await Promise.race([drawn(), new Promise((resolve) => setTimeout(resolve, drawnWithinMs))]);
}

/** The browser began to read it with the page. An answer that nobody takes now would wait for a later call. */
function askForWhatThePageNames(): Map<string, Promise<unknown>> {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="preload"][as="fetch"]');
  const paths = [...links].map(({ href }) => new URL(href).pathname);
  return new Map(paths.map((path) => [path, askEarly(path)]));
}

/** A browser prepares the next frame while it draws the one before, and waits with the one after until that is seen. */
async function drawn(): Promise<void> {
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
}

function readPicture(): KeptPicture | null {
  if (!canKeep()) return null;
  const key = Object.keys(localStorage).find((name) => name.startsWith(picturePrefix)) ?? '';
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
