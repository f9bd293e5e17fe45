import { inject } from 'vitest';
import { createDatabaseOn, type TestServerAddress } from './test-server.ts';

export type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>;

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: TestServerAddress;
  }
}

/** A migrated, empty database for one test file. */
export function createTestDatabase() {
  return createDatabaseOn(inject('testServer'));
}
