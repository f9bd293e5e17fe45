import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { testInMs, waitInMs } from './test/support/patience.ts';

const patience = { testTimeout: testInMs, hookTimeout: testInMs, expect: { poll: { timeout: waitInMs } } };

export default defineConfig({
  test: {
    // Of three, one mostly waits: for a database to be made, for a try that comes later, for a process that ends.
    maxWorkers: 3,
    retry: 0,
    sequence: { sequencer: LongestFirst },
    ...patience,
    projects: [
      {
        test: {
          name: 'server',
          environment: 'node',
          // Loading the server once a worker instead of once a file halves the time; a file gives back what it replaced.
          isolate: false,
          include: ['{server,contract,test,scripts}/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          setupFiles: ['test/support/wait-setup.ts'],
          ...patience,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'web',
          environment: 'jsdom',
          // The browser of one file serves the next: making it takes longer than most files' tests.
          isolate: false,
          setupFiles: ['test/support/wait-setup.ts', 'test/support/web-setup.ts'],
          include: ['web/**/*.test.{ts,tsx}'],
          ...patience,
        },
      },
    ],
  },
});
