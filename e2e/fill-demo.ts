import { openTestServer } from '../test/support/test-server.ts';
import { filledDemo } from './demo-instance.ts';

// Ahead of the first test that needs it, for which this leaves nothing to wait for.
await filledDemo(await openTestServer());
