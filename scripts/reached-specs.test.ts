import path from 'node:path';
import { expect, test } from 'vitest';
import { readImportGraph } from './import-graph.ts';
import { reachedSpecs } from './reached-specs.ts';

const root = path.join(import.meta.dirname, '..');
const graph = readImportGraph(root);
const all = [...graph.keys()].filter((file) => file.endsWith('.spec.ts'));
const reached = (...changed: string[]) => reachedSpecs(root, graph, changed);

test('a screen reaches the specs that name its address, and no others', () => {
  const specs = reached('web/features/audit/AuditLogPage.tsx');
  expect(specs).toEqual(expect.arrayContaining(['e2e/audit.spec.ts', 'e2e/web-pages.spec.ts']));
  expect(specs).not.toContain('e2e/booking.spec.ts');
});

test('a feature of the server reaches the specs of its screens', () => {
  const specs = reached('server/features/audit/audit-queries.ts');
  expect(specs).toContain('e2e/audit.spec.ts');
  expect(specs.length).toBeLessThan(all.length);
});

test('what browser tests share reaches those that import it', () => {
  expect(reached('e2e/stipend-screen.ts')).toContain('e2e/stipends.spec.ts');
  expect(reached('e2e/stipend-screen.ts')).not.toContain('e2e/audit.spec.ts');
});

test.each(['web/app/Shell.tsx', 'server/platform/ids.ts', 'package.json', 'web/app/page.css', 'web/app/routes.tsx'])(
  '%s reaches every spec',
  (file) => {
    expect(reached(file)).toEqual(all);
  },
);

test('a text and a unit test reach none', () => {
  expect(reached('README.md', 'server/app.test.ts', 'test/access.test.ts')).toEqual([]);
});
