import { defineConfig } from '@playwright/test';
import { findBrowser } from './scripts/browser.ts';
import { lookInMs, testInMs } from './test/support/patience.ts';

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results/e2e',
  // Files run by name. The longest test is in the first file, and the many short tests of web-pages fill up the end.
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // The first test also waits while its instance fills in the demo programme.
  timeout: testInMs,
  expect: { timeout: lookInMs },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    // Without it, tests would wait for animations.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: lookInMs,
    navigationTimeout: lookInMs,
    // Screenshots and snapshots at every step would take up much of a passing test's time.
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
