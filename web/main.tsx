// First: it must have run before any schema is made.
import './app/no-eval.ts';
import './styles/first.css';
import '@fontsource-variable/inter';
import './app/page.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { forgetEarlyAnswers } from './api/early-answers.ts';
import { queryClient } from './api/query-for.ts';
import { App } from './app/App.tsx';
import { router } from './app/routes.tsx';
import { pictureShown, shownPicture } from './features/home/picture/show.ts';

/** So long, the words of the page itself stand there, */
const firstPictureWithinMs = 1_000;
/** and so long a picture of what the screen will be. */
const keptPictureWithinMs = 8_000;

const root = document.getElementById('root');
if (!root) throw new Error('The page has no place for the app.');
const ready = whatItShows().finally(forgetEarlyAnswers);
// Even if the screen cannot be prepared, the app is drawn, and says so.
void Promise.race([ready, patience()]).finally(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);

/** The files of the screen and what it reads before it is drawn, or that they failed. */
async function whatItShows(): Promise<void> {
  await Promise.allSettled([router.load(), pictureShown]);
  await Promise.allSettled(
    queryClient
      .getQueryCache()
      .getAll()
      .map(({ promise }) => promise),
  );
}

async function patience(): Promise<void> {
  await pause(firstPictureWithinMs);
  if (shownPicture()) await pause(keptPictureWithinMs - firstPictureWithinMs);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
