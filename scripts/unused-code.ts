import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findSourceFiles } from './import-graph.ts';

// Files that something outside the import graph starts or reads.
const entries = [
  /^scripts\/[^/]+\.ts$/,
  /^bench\//,
  /^[^/]+\.config\.ts$/,
  /^web\/vite\.config\.ts$/,
  /^web\/(first\.ts|main\.tsx)$/,
  /^server\/(main|worker)\.ts$/,
  /^scripts\/drills\/faults\/shifted-clock\.ts$/,
  /^(test\/support|e2e)\/(clock|global|mutation|wait|web)-setup\.tsx?$/,
  /^e2e\/(server-host|fill-demo)\.ts$/,
  /\.(test|spec)\.tsx?$/,
  /\.gen\.ts$/,
  /\.d\.ts$/,
];
const declaration = /^export (?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;

process.chdir(path.join(import.meta.dirname, '..'));
const files = findSourceFiles('.');
const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const wordsOf = new Map([...sources].map(([file, source]) => [file, new Set(source.match(/\w+/g))]));
const imported = new Set([...sources].flatMap(([file, source]) => importsOf(file, source)));

const problems = [
  ...files.filter((file) => !isEntry(file) && !imported.has(file)).map((file) => `${file} is imported by nothing`),
  ...files.filter((file) => !isEntry(file)).flatMap(unusedExportsOf),
  ...unusedPackages(),
];
for (const problem of problems) console.error(problem);
console.log(`unused code: ${files.length} files read, ${problems.length} problems`);
process.exitCode = problems.length === 0 && files.length > 0 ? 0 : 1;

function isEntry(file: string): boolean {
  return entries.some((entry) => entry.test(file));
}

function importsOf(file: string, source: string): string[] {
  const specifiers = [...source.matchAll(/(?:from|import|import\()\s*'([^']+)'/g)].map((match) => match[1] ?? '');
  return specifiers.flatMap((specifier) => {
    if (specifier.startsWith('#')) return [specifier.slice(1)];
    return specifier.startsWith('.') ? [path.join(path.dirname(file), specifier)] : [];
  });
}

/** Judges by name. An export has no user if its name occurs in no other file, and only once in its own. */
function unusedExportsOf(file: string): string[] {
  const source = sources.get(file) ?? '';
  const names = [...source.matchAll(declaration)].map((match) => match[1] ?? '');
  return names
    .filter((name) => !files.some((other) => other !== file && wordsOf.get(other)?.has(name)))
    .filter((name) => (source.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length < 2)
    .map((name) => `${file} exports ${name}, which nothing uses`);
}

function unusedPackages(): string[] {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };
  const everything = [
    ...sources.values(),
    ...globSync('web/**/*.{css,html}').map((file) => readFileSync(file, 'utf8')),
  ];
  return Object.keys(dependencies)
    .filter((name) => existsSync(path.join('node_modules', name)))
    .filter((name) => !everything.some((source) => source.includes(`'${name}'`) || source.includes(`'${name}/`)))
    .map((name) => `package.json depends on ${name}, which nothing imports`);
}
