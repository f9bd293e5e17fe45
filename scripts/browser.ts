import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** The shell without windows comes first, because the tests need a fifth to a quarter less processor time in it. */
const shell = 'chromium-headless-shell';
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Debian's package names. Not every system has the shell. */
const packages = [shell, 'chromium'];
const aptGet = '/usr/bin/apt-get';

/** Returns the browser that CHROMIUM_PATH names, or the system's. */
export function findBrowser(): string | null {
  const given = process.env.CHROMIUM_PATH;
  if (given) return existsSync(given) ? given : null;
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/bin'];
  const places = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return places.find((place) => existsSync(place)) ?? null;
}

/**
 * Installs the system's browser package if it may. Throws if there is still no browser. As root, which means in a
 * container, it also adds the shell to another browser that is present.
 */
export async function requireBrowser(): Promise<string> {
  const present = findBrowser();
  const given = process.env.CHROMIUM_PATH;
  if (given && !present) throw new Error(`CHROMIUM_PATH names ${given}, which is not there.`);
  if (present && (given || path.basename(present) === shell || !isRoot() || !existsSync(aptGet))) return present;
  for (const name of present ? [shell] : packages) {
    await installBrowser(name);
    const installed = findBrowser();
    if (installed) return installed;
  }
  throw new Error(
    "The browser tests need Chromium or Chrome. Have it installed ('apt-get install chromium' as root, or the system's " +
      'own way), or set CHROMIUM_PATH to its program.',
  );
}

async function installBrowser(name: string): Promise<void> {
  const prefix = isRoot() ? [] : ['sudo', '--non-interactive'];
  console.log(`Installing a browser from the system packages (${name}) …`);
  for (const action of [
    ['update', '-q'],
    ['install', '-y', '-q', '--no-install-recommends', name],
  ]) {
    const [program = '', ...args] = [...prefix, 'apt-get', ...action];
    await runInOnePiece(program, args);
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Prints the output at the end, because other programs may run at the same time. */
function runInOnePiece(program: string, args: string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return new Promise((resolve) => {
    execFile(program, args, { env, maxBuffer: Number.POSITIVE_INFINITY }, (error, stdout, stderr) => {
      process.stdout.write(stdout);
      process.stderr.write(stderr);
      const failure = typeof error?.code === 'number' ? `exit code ${error.code}` : error?.message;
      if (failure) console.error(`${[program, ...args].join(' ')}: ${failure}`);
      resolve();
    });
  });
}
