import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** The shell without windows first: the tests take a quarter less of the processor in it. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Debian's names; not every system has the shell. */
const packages = ['chromium-headless-shell', 'chromium'];

/** The browser that CHROMIUM_PATH names, or else the system's. */
export function findBrowser(): string | null {
  const given = process.env.CHROMIUM_PATH;
  if (given) return existsSync(given) ? given : null;
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/bin'];
  const places = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return places.find((place) => existsSync(place)) ?? null;
}

/** Installs the system's browser package where it may. Throws when there is no browser afterwards. */
export function requireBrowser(): string {
  const present = findBrowser();
  if (present) return present;
  const given = process.env.CHROMIUM_PATH;
  if (given) throw new Error(`CHROMIUM_PATH names ${given}, which is not there.`);
  for (const name of packages) {
    installBrowser(name);
    const installed = findBrowser();
    if (installed) return installed;
  }
  throw new Error(
    "The browser tests need Chromium or Chrome. Have it installed ('apt-get install chromium' as root, or the system's " +
      'own way), or set CHROMIUM_PATH to its program.',
  );
}

function installBrowser(name: string): void {
  const prefix = process.getuid?.() === 0 ? [] : ['sudo', '--non-interactive'];
  console.log(`Installing a browser from the system packages (${name}) …`);
  for (const action of [
    ['update', '-q'],
    ['install', '-y', '-q', '--no-install-recommends', name],
  ]) {
    const [program = '', ...args] = [...prefix, 'apt-get', ...action];
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const { error, status } = spawnSync(program, args, { stdio: 'inherit', env });
    const failure = error?.message ?? (status === 0 ? null : `exit code ${status}`);
    if (failure) console.error(`${[program, ...args].join(' ')}: ${failure}`);
  }
}
