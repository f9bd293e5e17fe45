import { defineConfig } from '@playwright/test';
import { findBrowser } from './scripts/browser.ts';
import { lookInMs, testInMs } from './test/support/patience.ts';

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results/e2e',
  // Files run by name: the longest test has the first one, and the many short tests of web-pages fill up the end.
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // A first test also waits for its instance to fill in the demo programme.
  timeout: testInMs,
  expect: { timeout: lookInMs },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    // The app then moves nothing for show, which a test would only wait for.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: lookInMs,
    navigationTimeout: lookInMs,
    // Films and a copy of the page at every step would cost much of the time of tests that pass.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findBrowser() ?? undefined,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
