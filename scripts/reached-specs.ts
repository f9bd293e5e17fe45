import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { SourceFile } from './import-graph.ts';

type Graph = Map<string, SourceFile>;

const routes = 'web/app/routes.tsx';
/** Files that belong neither to the running product nor to a browser test. */
const noPart = /^(docs|bench|scripts|\.ci)\/|\.md$|\.test\.tsx?$|^test\/[^/]+$/;

/** Files that differ from a revision, including those that git does not track yet. */
export function changedSince(revision: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
  const changed = git('diff', '--name-only', '--relative', revision);
  return [...new Set([...changed, ...git('ls-files', '--others', '--exclude-standard')])];
}

/**
 * The browser tests that a change reaches. A spec reaches its imports, the screens whose addresses it names with their
 * imports, everything that each page loads, and the server's part of each feature that it reaches. A file that cannot
 * be placed that way reaches all specs.
 */
export function reachedSpecs(root: string, graph: Graph, changed: string[]): string[] {
  const specs = [...graph.keys()].filter((file) => file.endsWith('.spec.ts'));
  const screens = readScreens(root, graph);
  const ofEveryPage = new Set(['web/first.ts', 'web/main.tsx'].flatMap((file) => [...closureOf(graph, file)]));
  const known = new Set([...ofEveryPage, ...screens.flatMap(({ files }) => [...files])]);
  const relevant = changed.filter((file) => !noPart.test(file));
  return specs.filter((spec) => {
    const own = closureOf(graph, spec);
    const text = [...own]
      .filter((file) => file.startsWith('e2e/'))
      .map((file) => readFileSync(path.join(root, file), 'utf8'));
    const opened = screens.filter(({ address }) => text.some((words) => address.test(words)));
    const reached = new Set([...own, ...opened.flatMap(({ files }) => [...files])]);
    const features = new Set(opened.flatMap(({ files }) => [...files]).map(featureOf));
    return relevant.some((file) => {
      if (reached.has(file) || ofEveryPage.has(file)) return true;
      const feature = featureOf(file);
      if (file.startsWith('server/') || !isPlaced(file)) return feature === null || features.has(feature);
      return false;
    });
  });

  /** True for a file that belongs to some specs only. Style sheets and project-wide settings do not. */
  function isPlaced(file: string): boolean {
    return known.has(file) || (graph.has(file) && /^(e2e|test)\//.test(file));
  }
}

function readScreens(root: string, graph: Graph): { address: RegExp; files: Set<string> }[] {
  const text = readFileSync(path.join(root, routes), 'utf8');
  const listed = [...text.matchAll(/'(\/[^']*)',\s*\(\) => import\('([^']+)'\)/g)];
  if (listed.length === 0) throw new Error(`${routes} lists no screens in the way that is read here.`);
  return listed.map(([, address = '', page = '']) => ({
    address: new RegExp(`${address.replace(/\$\w+/g, '[^/\\s]+')}(?![\\w/-])`),
    files: closureOf(graph, path.posix.join(path.posix.dirname(routes), page)),
  }));
}

/** A file with all its imports, but not the imports of the list of screens and of the server. */
function closureOf(graph: Graph, file: string): Set<string> {
  const found = new Set([file]);
  for (const one of found) {
    if (one === routes || one.startsWith('server/')) continue;
    for (const imported of graph.get(one)?.imports ?? []) found.add(imported);
  }
  return found;
}

function featureOf(file: string): string | null {
  return /^(?:web|server)\/features\/([^/]+)\//.exec(file)?.[1] ?? null;
}
