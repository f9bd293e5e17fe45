import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'vite';

export interface SourceFile {
  file: string;
  lines: number;
  /** Our own files that it imports, types included. */
  imports: string[];
  packages: string[];
  /** Where the file makes a route directly: `app.http.get`, `scope.route`. */
  bareRoutes: string[];
  /** What it takes to open connections to other machines: `node:http request`, `nodemailer`, `fetch`. */
  opens: string[];
}

interface Named {
  name?: string;
  property?: { name?: string };
}

const receivers = ['http', 'scope', 'fastify', 'instance'];
const routeMethods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'all', 'route'];

export const trees = ['contract', 'server', 'web', 'test', 'e2e', 'bench', 'scripts'];

/** Every TypeScript file below `root`, even outside our trees, except in packages and hidden folders. */
export function findSourceFiles(root: string): string[] {
  const exclude = (file: string) => /(^|[/\\])(node_modules|\.[^/\\]+)$/.test(file);
  return globSync('**/*.{ts,tsx}', { cwd: root, exclude }).map(toSlashes).toSorted();
}

/** Throws if a file cannot be parsed or an import leads nowhere. */
export function readImportGraph(root: string): Map<string, SourceFile> {
  const files = findSourceFiles(root);
  const known = new Set(files);
  return new Map(files.map((file) => [file, readSource(root, file, known)]));
}

function readSource(root: string, file: string, known: Set<string>): SourceFile {
  const source = readFileSync(path.join(root, file), 'utf8');
  const program = parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file);
  const specifiers = specifiersOf(program);
  const own = specifiers.filter((specifier) => specifier.startsWith('.') || specifier.startsWith('#'));
  const imports = own.filter((specifier) => /\.tsx?$/.test(specifier)).map((specifier) => resolve(file, specifier));
  const lost = imports.find((target) => trees.includes(target.split('/')[0] ?? '') && !known.has(target));
  if (lost) throw new Error(`${file} imports ${lost}, which is not there.`);
  return {
    file,
    lines: source.split('\n').length - 1,
    imports: [...new Set(imports)],
    packages: [...new Set(specifiers.filter((specifier) => !own.includes(specifier)).map(packageOf))],
    bareRoutes: file.startsWith('server/') ? bareRoutesOf(program) : [],
    opens: file.startsWith('server/') ? findOpened(program) : [],
  };
}

function specifiersOf(program: unknown): string[] {
  const found: string[] = [];
  walk(program, (node) => {
    const from = node.source as { value?: unknown } | null | undefined;
    const reads = [
      'ImportDeclaration',
      'ExportNamedDeclaration',
      'ExportAllDeclaration',
      'ImportExpression',
      'TSImportType',
    ];
    if (reads.includes(String(node.type)) && typeof from?.value === 'string') found.push(from.value);
  });
  return found;
}

/** Finds calls of route-making methods on anything named `http` or `scope`. */
function bareRoutesOf(program: unknown): string[] {
  const found: string[] = [];
  walk(program, (node) => {
    const { type, object, property } = node as { type: string; object?: Named; property?: Named };
    if (type !== 'MemberExpression' || !routeMethods.includes(property?.name ?? '')) return;
    const receiver = object?.property?.name ?? object?.name ?? '';
    if (receivers.includes(receiver)) found.push(`${receiver}.${property?.name}`);
  });
  return found;
}

/** Parts of Node that open connections. A file that imports such a module whole may use any of them. */
const openersOfNode: Record<string, string[]> = {
  'node:http': ['request', 'get'],
  'node:https': ['request', 'get'],
  'node:http2': ['connect'],
  'node:net': ['connect', 'createConnection', 'Socket'],
  'node:tls': ['connect', 'TLSSocket'],
  'node:dgram': ['createSocket', 'Socket'],
  'node:dns': ['lookup', 'resolve', 'resolve4', 'resolve6', 'promises', 'Resolver'],
  'node:dns/promises': ['lookup', 'resolve', 'resolve4', 'resolve6', 'Resolver'],
};
/** Packages that open connections to an address that they are given. */
const openingPackages =
  /^(undici|axios|got|ky|node-fetch|ws|nodemailer|web-push|openid-client|@aws-sdk\/.+|@tus\/s3-store|@opentelemetry\/exporter-.+)$/;
const openersOfPackages: Record<string, string[]> = { jose: ['createRemoteJWKSet'] };
const openersOfAll = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'];

interface Imported {
  importKind?: string;
  imported?: { name?: string };
}

function findOpened(program: unknown): string[] {
  const found = new Set<string>();
  walk(program, (node) => {
    if (
      ['ImportDeclaration', 'ImportExpression', 'ExportNamedDeclaration', 'ExportAllDeclaration'].includes(
        String(node.type),
      )
    )
      for (const opener of openersIn(node)) found.add(opener);
    const { type, callee, object, property } = node as {
      type: string;
      callee?: Named;
      object?: Named;
      property?: Named;
    };
    const isCalled = type === 'CallExpression' || type === 'NewExpression';
    if (isCalled && openersOfAll.includes(callee?.name ?? '')) found.add(callee?.name ?? '');
    const isGlobal = type === 'MemberExpression' && ['globalThis', 'global'].includes(object?.name ?? '');
    if (isGlobal && openersOfAll.includes(property?.name ?? '')) found.add(property?.name ?? '');
  });
  return [...found];
}

/** Types open nothing. */
function openersIn(node: Record<string, unknown>): string[] {
  const source = (node.source as { value?: unknown } | null | undefined)?.value;
  if (typeof source !== 'string' || node.importKind === 'type' || node.exportKind === 'type') return [];
  if (openingPackages.test(packageOf(source))) return [packageOf(source)];
  const openers = openersOfNode[source] ?? openersOfPackages[source];
  if (!openers) return [];
  const parts = ((node.specifiers ?? []) as Imported[]).filter(({ importKind }) => importKind !== 'type');
  if (parts.length === 0) return [source];
  return parts.flatMap(({ imported }) => {
    if (!imported) return [source];
    return openers.includes(imported.name ?? '') ? [`${source} ${imported.name}`] : [];
  });
}

function walk(value: unknown, see: (node: Record<string, unknown>) => void): void {
  if (Array.isArray(value)) for (const item of value) walk(item, see);
  else if (value && typeof value === 'object') {
    const node = value as Record<string, unknown>;
    if (typeof node.type === 'string') see(node);
    for (const key of Object.keys(node)) if (key !== 'parent') walk(node[key], see);
  }
}

function resolve(file: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return toSlashes(path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier)));
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function toSlashes(file: string): string {
  return file.split(path.sep).join('/');
}
