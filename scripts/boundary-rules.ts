import { findCycles } from './cycles.ts';
import { type SourceFile, trees } from './import-graph.ts';

const lineLimit = 400;
const forbiddenNames = ['src', 'utils', 'util', 'helpers', 'helper', 'common', 'shared', 'lib', 'types', 'misc'];
const whatEachTreeImports: Record<string, string[]> = {
  contract: ['contract'],
  server: ['server', 'contract'],
  web: ['web', 'contract'],
  e2e: ['e2e', 'contract', 'test', 'server'],
};
/** Screens compose features. On the server, home composes what other features read. */
const readableFromOtherFeatures = /-(queries|access|queue|derivation)\.ts$/;
const queueFile = /-queue\.ts$/;
const composingFeature = 'home';
/**
 * Stipend Management shows payments beside decisions. The notification preferences show where messages go. A person's
 * page has the acts upon their account.
 */
const screensOfOthers: Record<string, string[]> = {
  stipends: ['payments'],
  notices: ['deliveries'],
  people: ['users'],
};
/** Every list with filters shows this part, which keeps them under a name. */
const partOfLists = 'saved-filters';
/** Folders of these features are screens of their own. They share what lies beside them and know nothing of each other. */
const featuresOfApartFolders = ['curriculum'];
/** The upload protocol uses HEAD to ask how much has arrived. Endpoints have no HEAD. */
const uploadRoutes = 'server/features/files/upload-routes.ts';
const linksOfApp = 'web/app/paths.ts';
/** Only one file may import each of these packages. That keeps a replacement to one place. */
const onlyImporters: Record<string, string> = {
  // New, and the only package that writes XLSX as a stream.
  hucre: 'server/platform/spreadsheets.ts',
  // Charts are loaded in a part of their own.
  '@visx/scale': 'web/ui/BarChart.tsx',
  '@visx/shape': 'web/ui/BarChart.tsx',
  // Large. It loads only where wallets are configured.
  ox: 'server/features/accounts/ways-in/wallet-messages.ts',
};

/**
 * Only these files of the server open connections to other machines. What a person can give an address for goes through
 * the first, which refuses private addresses. The others go where the operator's settings lead.
 */
const connects: Record<string, string[]> = {
  'server/platform/outgoing-request.ts': ['node:dns lookup', 'node:http request', 'node:https request'],
  // The mail server.
  'server/platform/reach.ts': ['nodemailer'],
  'server/features/deliveries/smtp.ts': ['nodemailer'],
  // The bucket of files, and the one of backups.
  'server/platform/s3-client.ts': ['@aws-sdk/client-s3'],
  'server/platform/s3-objects.ts': ['@aws-sdk/lib-storage'],
  'server/platform/storage-s3.ts': ['@aws-sdk/client-s3'],
  'server/platform/storage-s3-uploads.ts': ['@aws-sdk/client-s3', '@tus/s3-store'],
  'server/features/backups/s3-place.ts': ['@aws-sdk/client-s3'],
  // The providers of sign-in.
  'server/features/accounts/ways-in/identity-providers.ts': ['openid-client', 'jose createRemoteJWKSet'],
  // The collector of traces.
  'server/platform/tracing.ts': ['@opentelemetry/exporter-trace-otlp-http'],
};

/** Returns one sentence for each place where the tree breaks the rules. */
export function findBrokenBoundaries(graph: Map<string, SourceFile>): string[] {
  return [
    ...[...graph.values()].flatMap((source) => [
      ...brokenTree(source),
      ...brokenLayers(source),
      ...brokenScreens(source),
      ...brokenFeatures(source),
      ...brokenFolders(source),
      ...brokenQueues(source),
      ...brokenPackages(source),
      ...brokenRoutes(source),
      ...brokenConnections(source),
      ...brokenSize(source),
      ...brokenName(source),
    ]),
    ...findCycles(graph).map((circle) => `${circle.join(' → ')} import each other in a circle`),
    ...featureCycles(graph),
  ];
}

/** No rule covers an unknown tree. Only the settings of tools stand beside the trees. */
function brokenTree({ file }: SourceFile): string[] {
  if (trees.includes(treeOf(file)) || /^[^/]+\.config\.ts$/.test(file)) return [];
  return [`${file}: the trees are ${trees.join(', ')}`];
}

function brokenLayers({ file, imports }: SourceFile): string[] {
  const tree = treeOf(file);
  if (isTest(file)) return [];
  const allowed = whatEachTreeImports[tree];
  if (!allowed) return [];
  return imports
    .filter((target) => !allowed.includes(treeOf(target)))
    .map((target) => `${file} imports ${target}: ${tree} may import ${allowed.join(' and ')} only`)
    .concat(platformReadsFeature({ file, imports }), plumbingReadsSignIn({ file, imports }));
}

/** Plumbing, sign-in (which stands on it) and our own components know no feature. */
function platformReadsFeature({ file, imports }: Pick<SourceFile, 'file' | 'imports'>): string[] {
  const isPlumbing = /^(server\/(platform|sign-in)|server\/db\/[^/]+\.ts|web\/ui|web\/api)/.test(file);
  if (!isPlumbing) return [];
  return imports
    .filter((target) => featureOf(target) !== null)
    .map((target) => `${file} imports ${target}: plumbing knows no feature`);
}

/** Sign-in stands on plumbing, never the other way round. Plumbing asks about sessions through `App`. */
function plumbingReadsSignIn({ file, imports }: Pick<SourceFile, 'file' | 'imports'>): string[] {
  if (!/^server\/(platform\/|db\/[^/]+\.ts)/.test(file)) return [];
  return imports
    .filter((target) => target.startsWith('server/sign-in/'))
    .map((target) => `${file} imports ${target}: plumbing knows no sign-in`);
}

/** Screens know the app's links. Our own components and the data layer know nothing of the app. */
function brokenScreens({ file, imports }: SourceFile): string[] {
  const part = /^web\/(features|ui|api)\//.exec(file)?.[1];
  if (!part || isTest(file)) return [];
  return imports
    .filter((target) => target.startsWith('web/app/'))
    .filter((target) => part !== 'features' || target !== linksOfApp)
    .map((target) => `${file} imports ${target}: of web/app, only features may import, and only ${linksOfApp}`);
}

function brokenFeatures({ file, imports }: SourceFile): string[] {
  const own = featureOf(file);
  if (own === null || isTest(file)) return [];
  return imports
    .filter((target) => featureOf(target) !== null && featureOf(target) !== own)
    .filter((target) => !mayReadAcross(file, target))
    .map(
      (target) =>
        `${file} imports ${target}: across features only -queries, -access, -queue and -derivation may be imported`,
    );
}

function brokenFolders({ file, imports }: SourceFile): string[] {
  const own = featureOf(file) ?? '';
  if (!featuresOfApartFolders.includes(own) || isTest(file)) return [];
  return imports
    .filter((target) => featureOf(target) === own && ![null, folderOf(file)].includes(folderOf(target)))
    .map((target) => `${file} imports ${target}: the folders of ${own} share only what lies beside them`);
}

/** A queue file holds a job's name and data, so that a neighbor can enqueue it. It must not reach code that acts. */
function brokenQueues({ file, imports }: SourceFile): string[] {
  if (featureOf(file) === null || !queueFile.test(file)) return [];
  return imports
    .filter((target) => featureOf(target) !== null)
    .map((target) => `${file} imports ${target}: a queue imports nothing of a feature`);
}

function mayReadAcross(file: string, target: string): boolean {
  if (treeOf(file) === 'web') return composesOnScreen(featureOf(file) ?? '', featureOf(target) ?? '');
  return readableFromOtherFeatures.test(target);
}

function composesOnScreen(own: string, other: string): boolean {
  return own === composingFeature || other === partOfLists || (screensOfOthers[own] ?? []).includes(other);
}

function brokenPackages({ file, packages }: SourceFile): string[] {
  return [...fencedPackages({ file, packages }), ...packagesOfTree({ file, packages })];
}

/** Tests are exempt: they read what was written, and sign as a wallet does. */
function fencedPackages({ file, packages }: Pick<SourceFile, 'file' | 'packages'>): string[] {
  if (isTest(file) || ['test', 'e2e'].includes(treeOf(file))) return [];
  return packages
    .filter((name) => (onlyImporters[name] ?? file) !== file)
    .map((name) => `${file} imports ${name}: only ${onlyImporters[name]} may`);
}

function packagesOfTree({ file, packages }: Pick<SourceFile, 'file' | 'packages'>): string[] {
  if (treeOf(file) === 'contract' && !isTest(file)) {
    return packages
      .filter((name) => name !== 'zod')
      .map((name) => `${file} imports ${name}: contract imports zod and nothing else`);
  }
  if (treeOf(file) === 'web' && !isTest(file) && !file.endsWith('vite.config.ts')) {
    return packages
      .filter((name) => name.startsWith('node:'))
      .map((name) => `${file} imports ${name}: there is no Node in a browser`);
  }
  return [];
}

/** A route without an endpoint is in no contract, no permission map and no access test. */
function brokenRoutes({ file, bareRoutes }: SourceFile): string[] {
  if (!file.startsWith('server/') || file.startsWith('server/platform/') || isTest(file)) return [];
  return bareRoutes
    .filter((route) => !(file === uploadRoutes && route === 'scope.head'))
    .map((route) => `${file} calls ${route}: routes are made from the endpoints of contract, by serve()`);
}

/** Another way out would have none of the checks of the one that there is. */
function brokenConnections({ file, opens }: SourceFile): string[] {
  if (isTest(file)) return [];
  return opens
    .filter((opener) => !connects[file]?.includes(opener))
    .map(
      (opener) => `${file} takes ${opener}: requests to other machines go through server/platform/outgoing-request.ts`,
    );
}

function brokenSize({ file, lines }: SourceFile): string[] {
  return lines > lineLimit && !file.endsWith('.gen.ts')
    ? [`${file} has ${lines} lines; the limit is ${lineLimit}`]
    : [];
}

function brokenName({ file }: SourceFile): string[] {
  const parts = file.replace(/\.tsx?$/, '').split('/');
  const bad = parts.find((part) => forbiddenNames.includes(part.toLowerCase()));
  if (bad) return [`${file}: a place called ${bad} accepts anything`];
  return parts.at(-1) === 'index' ? [`${file}: no index files`] : [];
}

/** Features form no cycle, even where no two files do. */
function featureCycles(graph: Map<string, SourceFile>): string[] {
  const features = new Map<string, SourceFile>();
  for (const { file, imports } of graph.values()) {
    const own = featureOf(file);
    if (own === null || treeOf(file) !== 'server' || isTest(file)) continue;
    const others = imports.map(featureOf).filter((name): name is string => name !== null && name !== own);
    const known = features.get(own) ?? { file: own, lines: 0, imports: [], packages: [], bareRoutes: [], opens: [] };
    features.set(own, { ...known, imports: [...known.imports, ...others] });
  }
  return findCycles(features).map((circle) => `the features ${circle.join(', ')} form a circle`);
}

function treeOf(file: string): string {
  return file.split('/')[0] ?? '';
}

function featureOf(file: string): string | null {
  return /^(?:server|web)\/features\/([^/]+)\//.exec(file)?.[1] ?? null;
}

/** The folder inside a feature. Null for files beside its folders. */
function folderOf(file: string): string | null {
  return /^(?:server|web)\/features\/[^/]+\/([^/]+)\//.exec(file)?.[1] ?? null;
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file);
}
