import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = 'http://127.0.0.1:3000';

// They all know light-dark() in style sheets, which is otherwise rewritten into variables that nothing sets.
const browsersWithLightDark = ['chrome123', 'firefox120', 'safari17.5'];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: browsersWithLightDark,
    assetsInlineLimit: 0,
  },
  server: { proxy: { '^/api/(?![\\w-]+\\.ts)': server, '/functions': server, '/demo': server } },
});
