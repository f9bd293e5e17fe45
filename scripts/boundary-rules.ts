import { findCycles, type SourceFile, trees } from './import-graph.ts';

const lineLimit = 400;
const forbiddenNames = ['src', 'utils', 'util', 'helpers', 'helper', 'common', 'shared', 'lib', 'types', 'misc'];
const whatEachTreeImports: Record<string, string[]> = {
  contract: ['contract'],
  server: ['server', 'contract'],
  web: ['web', 'contract'],
  e2e: ['e2e', 'contract', 'test', 'server'],
};
/** Screens compose features; on the server, home composes what others read. */
const readableFromOtherFeatures = /-(queries|access|queue|derivation)\.ts$/;
const queueFile = /-queue\.ts$/;
const composingFeature = 'home';
/**
 * Stipend Management shows what was paid beside what was decided, the notification preferences where messages go beside
 * what is told.
 */
const screensOfOthers: Record<string, string[]> = { stipends: ['payments'], notices: ['deliveries'] };
/** Features whose folders are screens of their own: they share what lies beside them, and know nothing of each other. */
const featuresOfApartFolders = ['curriculum'];
/** The protocol of uploads asks by HEAD how far one has come; endpoints have no HEAD. */
const uploadRoutes = 'server/features/files/upload-routes.ts';
const linksOfApp = 'web/app/paths.ts';
/** Packages that one file alone may import, so that another takes their place there and nowhere else. */
const onlyImporters: Record<string, string> = {
  // Young, and the only one that writes XLSX as a stream.
  hucre: 'server/platform/spreadsheets.ts',
  // Large, and loaded only where wallets are offered.
  ox: 'server/features/accounts/ways-in/wallet-messages.ts',
};

/** Every place where the tree breaks the house's rules, in words. */
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
      ...brokenSize(source),
      ...brokenName(source),
    ]),
    ...findCycles(graph).map((circle) => `${circle.join(' → ')} import each other in a circle`),
    ...featureCycles(graph),
  ];
}

/** A tree that no rule knows would be bound by none; beside the trees stand only the settings of tools. */
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

/** Plumbing knows no feature, nor does sign-in, which stands on it; our own components know none either. */
function platformReadsFeature({ file, imports }: Pick<SourceFile, 'file' | 'imports'>): string[] {
  const isPlumbing = /^(server\/(platform|sign-in)|server\/db\/[^/]+\.ts|web\/ui|web\/api)/.test(file);
  if (!isPlumbing) return [];
  return imports
    .filter((target) => featureOf(target) !== null)
    .map((target) => `${file} imports ${target}: plumbing knows no feature`);
}

/** Sign-in stands on plumbing, never the other way: what plumbing asks of sessions, it is handed in `App`. */
function plumbingReadsSignIn({ file, imports }: Pick<SourceFile, 'file' | 'imports'>): string[] {
  if (!/^server\/(platform\/|db\/[^/]+\.ts)/.test(file)) return [];
  return imports
    .filter((target) => target.startsWith('server/sign-in/'))
    .map((target) => `${file} imports ${target}: plumbing knows no sign-in`);
}

/** Screens know the links of the app; our own components and the data layer know nothing of it. */
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

/** A queue says what a job is called and takes, so that a neighbour can send it: nothing that acts is behind it. */
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
  return own === composingFeature || (screensOfOthers[own] ?? []).includes(other);
}

function brokenPackages({ file, packages }: SourceFile): string[] {
  return [...fencedPackages({ file, packages }), ...packagesOfTree({ file, packages })];
}

/** Tests may: they read what was written, and sign as a wallet does. */
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

/** A route that no endpoint describes is in no contract, no permission map and no test of access. */
function brokenRoutes({ file, bareRoutes }: SourceFile): string[] {
  if (!file.startsWith('server/') || file.startsWith('server/platform/') || isTest(file)) return [];
  return bareRoutes
    .filter((route) => !(file === uploadRoutes && route === 'scope.head'))
    .map((route) => `${file} calls ${route}: routes are made from the endpoints of contract, by serve()`);
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

/** Features form no circle, even where no two files do. */
function featureCycles(graph: Map<string, SourceFile>): string[] {
  const features = new Map<string, SourceFile>();
  for (const { file, imports } of graph.values()) {
    const own = featureOf(file);
    if (own === null || treeOf(file) !== 'server' || isTest(file)) continue;
    const others = imports.map(featureOf).filter((name): name is string => name !== null && name !== own);
    const known = features.get(own) ?? { file: own, lines: 0, imports: [], packages: [], bareRoutes: [] };
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

/** The folder inside a feature; null for what lies beside its folders. */
function folderOf(file: string): string | null {
  return /^(?:server|web)\/features\/[^/]+\/([^/]+)\//.exec(file)?.[1] ?? null;
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file);
}
