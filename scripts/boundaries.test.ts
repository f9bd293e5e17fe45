import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findBrokenBoundaries } from './boundary-rules.ts';
import { readImportGraph, type SourceFile } from './import-graph.ts';

const root = path.join(import.meta.dirname, '..');
const graph = readImportGraph(root);

test('the boundary rules and the compiler read every TypeScript file of the repository, and nothing is broken', () => {
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'];
  const present = execFileSync('git', listed, { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const expected = present.filter((name) => existsSync(path.join(root, name))).toSorted();
  expect([...graph.keys()].toSorted()).toEqual(expected);
  const { references } = JSON.parse(readFileSync(path.join(root, 'tsconfig.json'), 'utf8')) as {
    references: { path: string }[];
  };
  const compiled = new Set(references.flatMap((project) => filesOf(project.path)));
  expect([...compiled].toSorted()).toEqual(expected);
  expect(findBrokenBoundaries(graph)).toEqual([]);
});

/** The repository's files that the compiler reads for one of its projects. */
function filesOf(project: string): string[] {
  const compiler = path.join(root, 'node_modules', '.bin', 'tsc');
  const listed = execFileSync(compiler, ['-p', project, '--listFilesOnly'], { cwd: root, encoding: 'utf8' });
  const files = listed
    .trim()
    .split('\n')
    .map((file) => path.relative(root, file));
  return files.filter((file) => !file.startsWith('node_modules'));
}

test('an import is seen in every form it can take', () => {
  expect(graph.get('server/platform/serve.ts')?.imports).toContain('contract/endpoint.ts');
  expect(graph.get('web/app/routes.tsx')?.imports).toContain('web/features/imports/BulkInvitationsPage.tsx');
  expect(graph.get('contract/endpoint.ts')?.packages).toEqual(['zod']);
});

test('a route is seen where it is made without an endpoint', () => {
  expect(graph.get('server/platform/openapi.ts')?.bareRoutes).toEqual(['http.get', 'http.get']);
  expect(graph.get('server/features/files/upload-routes.ts')?.bareRoutes).toEqual(['scope.head']);
});

test('whatever opens a connection is seen, in every form it can take', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchyard-opens-'));
  mkdirSync(path.join(folder, 'server'));
  const lines: Record<string, string[]> = {
    "import { request } from 'node:http'": ['node:http request'],
    "import * as net from 'node:net'": ['node:net'],
    "import https from 'node:https'": ['node:https'],
    "export { connect } from 'node:tls'": ['node:tls'],
    "const dns = await import('node:dns')": ['node:dns'],
    "import { S3 } from '@aws-sdk/client-s3'": ['@aws-sdk/client-s3'],
    "import { createTransport } from 'nodemailer'": ['nodemailer'],
    "import { createRemoteJWKSet } from 'jose'": ['jose createRemoteJWKSet'],
    'await fetch(address)': ['fetch'],
    'const send = globalThis.fetch': ['fetch'],
    'new WebSocket(address)': ['WebSocket'],
    "import { isIP } from 'node:net'": [],
    "import type { Socket } from 'node:net'": [],
    "import { jwtVerify } from 'jose'": [],
  };
  const names = Object.keys(lines).map((line, index) => {
    const name = `server/a${index}.ts`;
    writeFileSync(path.join(folder, name), `${line};\n`);
    return name;
  });
  const seen = readImportGraph(folder);
  expect(names.map((name) => seen.get(name)?.opens)).toEqual(Object.values(lines));
  rmSync(folder, { recursive: true });
});

const file = (name: string, imports: string[], more: Partial<SourceFile> = {}): [string, SourceFile] => [
  name,
  { file: name, lines: 10, imports, packages: [], bareRoutes: [], opens: [], ...more },
];

test.each([
  ['a browser file that reaches the server', file('web/features/home/A.tsx', ['server/app.ts'])],
  ['a server file that reaches the browser', file('server/features/home/a.ts', ['web/app/paths.ts'])],
  ['a contract that imports a package', file('contract/a.ts', [], { packages: ['kysely'] })],
  ['plumbing that knows a feature', file('server/platform/a.ts', ['server/features/stipends/stipends.ts'])],
  ['sign-in that knows a feature', file('server/sign-in/a.ts', ['server/features/users/user-queries.ts'])],
  ['plumbing that knows sign-in', file('server/platform/a.ts', ['server/sign-in/session-start.ts'])],
  [
    'a feature that acts for its neighbour',
    file('server/features/home/a.ts', ['server/features/stipends/stipends.ts']),
  ],
  ['a queue with an act behind it', file('server/features/home/a-queue.ts', ['server/features/home/a.ts'])],
  ['a component of another feature', file('web/features/learning/A.tsx', ['web/features/stipends/B.tsx'])],
  ['a component of the screen that shows it', file('web/features/payments/A.tsx', ['web/features/stipends/B.tsx'])],
  ['a preference that where messages go reads', file('web/features/deliveries/A.tsx', ['web/features/notices/B.tsx'])],
  [
    'a folder of curriculum that knows its neighbour',
    file('server/features/curriculum/training/a.ts', ['server/features/curriculum/programme/b-queries.ts']),
  ],
  [
    'what the folders of curriculum share and that knows one of them',
    file('web/features/curriculum/A.tsx', ['web/features/curriculum/contents/B.tsx']),
  ],
  ['a screen that reaches into the app', file('web/features/home/A.tsx', ['web/app/Shell.tsx'])],
  ['a component that knows the app', file('web/ui/A.tsx', ['web/app/paths.ts'])],
  ['a tree that no rule knows', file('tools/a.ts', [])],
  ['a file beside the trees', file('a.ts', [])],
  ['a folder called src', file('server/src/a.ts', [])],
  ['a file over 400 lines', file('server/features/home/a.ts', [], { lines: 401 })],
  ['a folder called utils', file('server/utils/a.ts', [])],
  ['an index file', file('contract/index.ts', [])],
  ['a route beside the contract', file('server/features/home/a-routes.ts', [], { bareRoutes: ['http.get'] })],
  ['a package that stands behind another file', file('server/features/home/a.ts', [], { packages: ['hucre'] })],
  ['a second way to other machines', file('server/features/home/a.ts', [], { opens: ['fetch'] })],
  ['a way out that another file has', file('server/platform/reach.ts', [], { opens: ['node:http request'] })],
  ['Node in the browser', file('web/app/A.tsx', [], { packages: ['node:fs'] })],
])('it refuses %s', (_, entry) => {
  expect(findBrokenBoundaries(new Map([entry]))).toHaveLength(1);
});

test.each([
  ['payments beside its stipends', file('web/features/stipends/A.tsx', ['web/features/payments/B.tsx'])],
  ['where messages go beside what is told', file('web/features/notices/A.tsx', ['web/features/deliveries/B.tsx'])],
])('a screen shows %s', (_, shown) => {
  expect(findBrokenBoundaries(new Map([shown]))).toEqual([]);
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
