import react from '@vitejs/plugin-react';
import { defineConfig, type Rolldown } from 'vite';

// They all know light-dark() in style sheets, which is otherwise rewritten into variables that nothing sets.
const browsersWithLightDark = ['chrome123', 'firefox120', 'safari17.5'];

/**
 * One file a route would ask for up to a hundred small ones that it shares with others, each a request. What the app
 * starts with becomes one file, and what routes share is put together by who shares it, up to a size at which hardly
 * anything is read that a route does not need.
 */
const fewFiles: Rolldown.CodeSplittingOptions = {
  groups: [
    { name: 'start', tags: ['$initial'] },
    { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 15_000 },
  ],
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: browsersWithLightDark,
    assetsInlineLimit: 0,
    // Files that are put together by who shares them may need one another: each part runs when it is first asked for.
    rolldownOptions: { output: { codeSplitting: fewFiles, strictExecutionOrder: true } },
    chunkSizeWarningLimit: 700,
  },
});
