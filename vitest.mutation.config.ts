import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { testInMs, waitInMs } from './test/support/patience.ts';

/** The tests that judge mutants. scripts/mutation-parts.ts names them. */
const include = (process.env.MUTATION_TESTS ?? '').split(',');

/** The first test that notices a change ends its run, so the slow ones come last. */
class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const took = (file: TestSpecification) => this.ctx.cache.getTestSpecificationResult(file)?.duration ?? 0;
    return files.toSorted((one, other) => took(one) - took(other));
  }
}

export default defineConfig({
  test: {
    environment: 'node',
    isolate: false,
    sequence: { sequencer: QuickestFirst },
    include,
    testTimeout: testInMs,
    hookTimeout: testInMs,
    expect: { poll: { timeout: waitInMs } },
    globalSetup: include.some((file) => file.startsWith('server/')) ? ['test/support/global-setup.ts'] : [],
    setupFiles: ['test/support/wait-setup.ts'],
  },
});
