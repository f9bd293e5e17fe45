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
import { pictureShown } from './app/picture/show.ts';
import { router } from './app/routes.tsx';

/** So long, the words of the page itself stand there. */
const firstPictureWithinMs = 1_000;

const root = document.getElementById('root');
if (!root) throw new Error('The page has no place for the app.');
const limit = new Promise((resolve) => setTimeout(resolve, firstPictureWithinMs));
// Even if the screen cannot be prepared, the app is drawn, and says so.
void Promise.race([whatItShows(), limit]).finally(() => {
  forgetEarlyAnswers();
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
});

/** The files of the screen and what it reads before it is drawn, or that they failed. */
async function whatItShows(): Promise<void> {
  await Promise.all([router.load(), pictureShown]);
  await Promise.allSettled(
    queryClient
      .getQueryCache()
      .getAll()
      .map(({ promise }) => promise),
  );
}
