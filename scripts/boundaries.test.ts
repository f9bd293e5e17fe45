import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findBrokenBoundaries } from './boundary-rules.ts';
import { readImportGraph, type SourceFile, trees } from './import-graph.ts';

const root = path.join(import.meta.dirname, '..');

test('the boundary rules read every TypeScript file of the trees, and nothing is broken', () => {
  const graph = readImportGraph(root);
  const present = execFileSync('find', [...trees, '-name', '*.ts', '-o', '-name', '*.tsx'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([...graph.keys()].toSorted()).toEqual(present.trim().split('\n').toSorted());
  expect(findBrokenBoundaries(graph)).toEqual([]);
});

test('an import is seen in every form it can take', () => {
  const graph = readImportGraph(root);
  expect(graph.get('server/platform/serve.ts')?.imports).toContain('contract/endpoint.ts');
  expect(graph.get('web/app/routes.tsx')?.imports).toContain('web/features/imports/BulkInvitationsPage.tsx');
  expect(graph.get('contract/endpoint.ts')?.packages).toEqual(['zod']);
});

const file = (name: string, imports: string[], more: Partial<SourceFile> = {}): [string, SourceFile] => [
  name,
  { file: name, lines: 10, imports, packages: [], ...more },
];

test.each([
  ['a browser file that reaches the server', file('web/features/home/A.tsx', ['server/app.ts'])],
  ['a server file that reaches the browser', file('server/features/home/a.ts', ['web/app/paths.ts'])],
  ['a contract that imports a package', file('contract/a.ts', [], { packages: ['kysely'] })],
  ['plumbing that knows a feature', file('server/platform/a.ts', ['server/features/stipends/stipends.ts'])],
  [
    'a feature that acts for its neighbour',
    file('server/features/home/a.ts', ['server/features/stipends/stipends.ts']),
  ],
  ['a queue with an act behind it', file('server/features/home/a-queue.ts', ['server/features/home/a.ts'])],
  ['a component of another feature', file('web/features/learning/A.tsx', ['web/features/stipends/B.tsx'])],
  ['a file over 400 lines', file('server/features/home/a.ts', [], { lines: 401 })],
  ['a folder called utils', file('server/utils/a.ts', [])],
  ['an index file', file('contract/index.ts', [])],
  ['Node in the browser', file('web/app/A.tsx', [], { packages: ['node:fs'] })],
])('it refuses %s', (_, entry) => {
  expect(findBrokenBoundaries(new Map([entry]))).toHaveLength(1);
});

test('it refuses circles of files and of features, and allows reading a neighbour', () => {
  const files = new Map([
    file('server/platform/a.ts', ['server/platform/b.ts']),
    file('server/platform/b.ts', ['server/platform/a.ts']),
  ]);
  expect(findBrokenBoundaries(files)).toHaveLength(1);
  const features = new Map([
    file('server/features/home/a.ts', [
      'server/features/stipends/stipend-queries.ts',
      'server/features/stipends/stipend-queue.ts',
    ]),
    file('server/features/stipends/stipends.ts', ['server/features/home/home-queries.ts']),
  ]);
  expect(findBrokenBoundaries(features)).toEqual(['the features home, stipends form a circle']);
});
