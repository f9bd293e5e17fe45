// First: it must have run before any schema is made.
import './app/no-eval.ts';
import './styles/first.css';
import '@fontsource-variable/inter';
import './app/page.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { theme } from './ui/theme.ts';

// A font that is first asked for by a text comes after it. If it does not come, the texts stay in the font of the system.
document.fonts.load(`1em ${theme.fontFamily}`).catch(() => undefined);

const root = document.getElementById('root');
if (!root) throw new Error('The page has no place for the app.');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
