import { openTestServer } from '../test/support/test-server.ts';
import { filledDemo } from './demo-instance.ts';

// Runs ahead of the first test that needs the demo, so that no test waits for it.
await filledDemo(await openTestServer());
