import { appFile } from './features/home/picture/seal.ts';
import { pictureHasCome, pictureShown, shownPicture } from './features/home/picture/show.ts';

/** Reading and running the app's files keeps the browser from drawing. On a slow network they do not wait for the picture. */
const headStartInMs = 200;

const headStart = new Promise((resolve) => setTimeout(resolve, headStartInMs)).then(() =>
  pictureHasCome() ? pictureShown : undefined,
);
const pageRead = new Promise<void>((resolve) => {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', () => resolve());
  else resolve();
});

void begin();

async function begin(): Promise<void> {
  await Promise.allSettled([Promise.race([pictureShown, headStart]), pageRead]);
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[data-rel]')) link.rel = link.dataset.rel ?? '';
  try {
    await import(/* @vite-ignore */ appFile);
  } catch (error) {
    // Nobody can press what is in a picture.
    shownPicture()?.remove();
    throw error;
  }
}
