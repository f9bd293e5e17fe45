import { defineConfig } from 'vitest/config';
import { testInMs, waitInMs } from './test/support/patience.ts';

/** The tests that judge mutants. scripts/mutation.ts names them. */
const include = (process.env.MUTATION_TESTS ?? '').split(',');

export default defineConfig({
  test: {
    environment: 'node',
    isolate: false,
    include,
    testTimeout: testInMs,
    hookTimeout: testInMs,
    expect: { poll: { timeout: waitInMs } },
    globalSetup: include.some((file) => file.startsWith('server/')) ? ['test/support/global-setup.ts'] : [],
    setupFiles: ['test/support/wait-setup.ts'],
  },
});
