import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { testInMs, waitInMs } from './test/support/patience.ts';

const patience = { testTimeout: testInMs, hookTimeout: testInMs, expect: { poll: { timeout: waitInMs } } };

export default defineConfig({
  test: {
    // One of three mostly waits for a new database, a later try or the end of a process.
    maxWorkers: 3,
    retry: 0,
    sequence: { sequencer: LongestFirst },
    ...patience,
    projects: [
      {
        test: {
          name: 'server',
          environment: 'node',
          // Loading the server once per worker instead of once per file halves the time. A file restores what it replaced.
          isolate: false,
          include: ['{server,contract,test,scripts,bench}/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          setupFiles: ['test/support/wait-setup.ts', 'test/support/clock-setup.ts'],
          ...patience,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'web',
          environment: 'jsdom',
          // The next file reuses a file's browser, because making one takes longer than most files' tests.
          isolate: false,
          setupFiles: ['test/support/wait-setup.ts', 'test/support/web-setup.ts'],
          include: ['web/**/*.test.{ts,tsx}'],
          ...patience,
        },
      },
    ],
  },
});
