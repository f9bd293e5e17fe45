import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const kit = path.join(root, 'node_modules', '@mantine');
const kitParts = new Map(
  globSync('esm/**/[A-Z]*.mjs', { cwd: path.join(kit, 'core') }).map((file) => [
    path.basename(file, '.mjs'),
    path.join(kit, 'core', file),
  ]),
);
const own = globSync('web/**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file));
const everywhere = ['baseline', 'default-css-variables', 'global'];

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);
const stylesIn = (list: string) => matches(read(`web/styles/${list}.css`), /core\/styles\/([\w-]+)\.layer\.css/g);
const ownImports = (file: string, pattern: RegExp) =>
  matches(read(file), pattern)
    .filter((specifier) => /\.tsx?$/.test(specifier))
    .map((specifier) => path.join(path.dirname(file), specifier));

/** The files with everything that they import from the start. What a person opens later is left out. */
function withImports(files: string[], seen = new Set<string>()): Set<string> {
  for (const file of files) {
    if (seen.has(file)) continue;
    seen.add(file);
    withImports(ownImports(file, /^(?:import|export) (?!type)[^;]*?from '(\.[^']+)'/gm), seen);
  }
  return seen;
}

/** The components of the kit that draw these files, with those that draw these. */
function stylesOf(files: Iterable<string>): string[] {
  const seen = new Set<string>();
  const look = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    const source = readFileSync(file, 'utf8');
    for (const specifier of matches(source, /from "(\.[^"]+)"/g)) look(path.join(path.dirname(file), specifier));
    for (const names of matches(source, /import \{([^}]*)\} from "@mantine\/core"/g)) named(names);
  };
  const named = (names: string) => {
    for (const name of matches(names, /(?<!type )\b([A-Z]\w+)/g)) {
      const file = kitParts.get(name);
      if (file) look(file);
    }
  };
  for (const file of files) {
    const source = read(file);
    matches(source, /^(?:import|export) \{([^}]*)\} from '@mantine\/core'/gm).forEach(named);
    for (const name of matches(source, /^import \{ [A-Z][^}]*\} from '@mantine\/(dropzone|notifications)'/gm)) {
      for (const part of globSync('esm/**/*.mjs', { cwd: path.join(kit, name) })) look(path.join(kit, name, part));
    }
  }
  const styles = [...seen].flatMap((file) => /(\w+)\.module\.mjs$/.exec(path.basename(file))?.[1] ?? []);
  return [...new Set(styles)].filter((name) => inOrder.includes(name)).toSorted();
}

/** In the order in which the kit puts them into its one file, which later ones rely on. */
const whole = readFileSync(path.join(kit, 'core', 'styles.css'), 'utf8');
const inOrder = globSync('styles/*.css', { cwd: path.join(kit, 'core') })
  .filter((file) => !file.endsWith('.layer.css'))
  .map((file) => ({ name: path.basename(file, '.css'), text: readFileSync(path.join(kit, 'core', file), 'utf8') }))
  .toSorted((one, other) => whole.indexOf(one.text.trim()) - whole.indexOf(other.text.trim()))
  .map(({ name }) => name);

test('the styles of all components that a screen uses are there, in their order, and no others', () => {
  const needed = stylesOf(own);
  expect([...stylesIn('first'), ...stylesIn('later')].toSorted()).toEqual([...needed, ...everywhere].toSorted());
  for (const list of ['first', 'later']) {
    const styles = stylesIn(list);
    expect(styles, list).toEqual(inOrder.filter((name) => styles.includes(name)));
  }
});

test('what is there first is what the screens for everybody use', () => {
  const pages = ownImports('web/app/routes.tsx', /account\([^;]*?import\('(\.[^']+)'\)/gs);
  expect(pages.length).toBeGreaterThan(5);
  expect(stylesIn('first').toSorted()).toEqual(
    [...stylesOf(withImports(['web/main.tsx', ...pages])), ...everywhere].toSorted(),
  );
});

test('a part that comes later than a screen for everybody, and has more styles, brings them', () => {
  const pages = ownImports('web/app/routes.tsx', /account\([^;]*?import\('(\.[^']+)'\)/gs);
  const first = stylesIn('first');
  const parts = [...partsOf(withImports(pages))].filter((part) => part.endsWith('.tsx') || part.endsWith('.ts'));
  const richer = parts.filter((part) => stylesOf(withImports([part])).some((name) => !first.includes(name)));
  expect(richer).not.toEqual([]);
  const without = richer.filter(
    (part) => ![...withImports([part])].some((file) => /styles\/later\.css'/.test(read(file))),
  );
  expect(without).toEqual([]);
});

/** What these files load later, with what that loads. */
function partsOf(files: Iterable<string>, parts = new Set<string>()): Set<string> {
  for (const file of files) {
    for (const part of ownImports(file, /import\('(\.[^']+)'\)/g)) {
      if (parts.has(part)) continue;
      parts.add(part);
      partsOf(withImports([part]), parts);
    }
  }
  return parts;
}
