import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { keepsWorker } from './test/support/kept-worker.ts';
import { testInMs, waitInMs } from './test/support/patience.ts';

/** The tests that judge mutants. scripts/mutation-parts.ts names them. */
const include = (process.env.MUTATION_TESTS ?? '').split(',');

/** The first test that notices a change ends its run. What noticed the one before is likely to, and the slow ones come last. */
class LikeliestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const before = (file: TestSpecification) =>
      this.ctx.cache.getTestSpecificationResult(file) ?? { failed: false, duration: 0 };
    return files.toSorted(
      (one, other) =>
        Number(before(other).failed) - Number(before(one).failed) || before(one).duration - before(other).duration,
    );
  }
}

export default defineConfig({
  plugins: [keepsWorker(process.env.MUTATION_NEW_THREADS ? 1 : 100)],
  test: {
    environment: 'node',
    isolate: false,
    sequence: { sequencer: LikeliestFirst },
    include,
    testTimeout: testInMs,
    hookTimeout: testInMs,
    expect: { poll: { timeout: waitInMs } },
    globalSetup: include.some((file) => file.startsWith('server/')) ? ['test/support/global-setup.ts'] : [],
    setupFiles: ['test/support/mutation-setup.ts', 'test/support/wait-setup.ts'],
  },
});
