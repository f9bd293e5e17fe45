import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { readMetrics } from '#contract/operations.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';

const folder = path.join('docs', 'monitoring');
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');

let server: TestApp;
let told: Set<string>;
beforeAll(async () => {
  server = await startTestApp();
  // What was never verified has no age.
  await server.db
    .insertInto('ledgerVerifications')
    .values({ lines: 0, lastHash: 'h', problems: 0, differences: 0, firstProblem: null })
    .execute();
  // Nor has a backup that was never made.
  const whole = { outcome: 'done', endedAt: new Date(), sizeBytes: 7, missingFiles: 0 };
  await server.db
    .insertInto('backups')
    .values({ ...whole, name: 'one', place: '/backups', isScheduled: true })
    .execute();
  const text = await (await fetch(server.url + readMetrics.path)).text();
  told = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
});
afterAll(() => server.close());

/** The metrics in expressions, without what a histogram adds to its name. */
function metricsIn(text: string): string[] {
  const names = text.match(/\b(switchyard|nodejs|process)_[a-z0-9_]+/g) ?? [];
  return [...new Set(names.map((name) => name.replace(/_(bucket|count|sum)$/, '')))];
}

test.each(['alerts.yml', 'alerts.test.yml', 'dashboard.json'])('%s names only metrics that /metrics tells', (name) => {
  const metrics = metricsIn(read(name));
  expect(metrics.length).toBeGreaterThan(4);
  expect(metrics.filter((metric) => !told.has(metric))).toEqual([]);
});

test('the dashboard shows every metric of the product', () => {
  const own = [...told].filter((name) => name.startsWith('switchyard_'));
  const shown = new Set(metricsIn(read('dashboard.json')));
  expect(own.filter((name) => !shown.has(name))).toEqual([]);
});

test('the dashboard is one that Grafana takes: panels with ids of their own, each with an expression', () => {
  const Panel = z.object({
    id: z.number(),
    title: z.string().min(1),
    targets: z.array(z.object({ expr: z.string().min(1), refId: z.string() })).min(1),
  });
  const { panels } = z.object({ panels: z.array(Panel) }).parse(JSON.parse(read('dashboard.json')));
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});

test('every alert says how loud it is, what happened and what to do', () => {
  const alerts = read('alerts.yml')
    .split(/\n\s+- alert: /)
    .slice(1);
  expect(alerts.length).toBeGreaterThan(10);
  for (const alert of alerts) {
    expect(alert).toMatch(/severity: (page|ticket) /);
    expect(alert).toMatch(/summary: /);
    expect(alert).toMatch(/remedy: /);
  }
});
