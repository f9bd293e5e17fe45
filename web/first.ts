import { appFile } from './app/picture/seal.ts';
import { pictureShown } from './app/picture/show.ts';
import { fontFamily } from './ui/font.ts';

/** Running the app's files keeps the browser from drawing. On a slow network they do not wait for the picture. */
const headStartInMs = 200;

// A font that is first asked for by a text comes after it. If it does not come, the texts stay in the font of the system.
document.fonts.load(`1em ${fontFamily}`).catch(() => undefined);

const pageRead = new Promise<unknown>((resolve) => {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', resolve);
  else resolve(null);
});
const headStart = new Promise((resolve) => setTimeout(resolve, headStartInMs));
void Promise.race([pictureShown, headStart])
  .finally(() => pageRead)
  .finally(() => import(/* @vite-ignore */ appFile));
