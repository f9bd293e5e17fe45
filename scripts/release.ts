// Makes a release that starts without a build and without npm: npm run release [-- --version X.Y.Z]. It writes to
// dist/release/ alone: an archive for this machine's kind, what it holds (CycloneDX), what changed, and checksums.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { buildWebWhenStale } from './build-web.ts';
import { changesSince, isReleased } from './release-files.ts';

const usage = 'Usage: npm run release [-- --version X.Y.Z]';
process.chdir(path.join(import.meta.dirname, '..'));

try {
  await release(readVersion());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function readVersion(): string {
  let given: string | undefined;
  try {
    given = parseArgs({ options: { version: { type: 'string' } } }).values.version;
  } catch (cause) {
    throw new Error(usage, { cause });
  }
  const version = given ?? JSON.parse(readFileSync('package.json', 'utf8')).version;
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) throw new Error(`${version} is no version such as 1.2.3. ${usage}`);
  return version;
}

async function release(version: string): Promise<void> {
  if (run('git', ['status', '--porcelain']) !== '') {
    throw new Error('There are changes that are not committed. A release has only what is.');
  }
  if (!buildWebWhenStale()) throw new Error('The browser app could not be built.');
  const name = `switchyard-${version}-linux-${process.arch}`;
  const folder = path.join('dist', 'release');
  const tree = path.join(folder, name);
  rmSync(tree, { recursive: true, force: true });
  const made = [`${name}.tar.gz`, `${name}.cdx.json`, `switchyard-${version}-changes.md`];
  const [archive = '', bill = '', changes = ''] = made.map((file) => path.join(folder, file));
  try {
    mkdirSync(tree, { recursive: true });
    for (const file of run('git', ['ls-files']).split('\n').filter(isReleased)) {
      cpSync(file, path.join(tree, file), { recursive: true });
    }
    cpSync(path.join('dist', 'web'), path.join(tree, 'dist', 'web'), { recursive: true });
    mkdirSync(path.join(tree, 'bin'));
    cpSync(path.join('deploy', 'switchyard'), path.join(tree, 'bin', 'switchyard'));
    const manifest = JSON.parse(readFileSync(path.join(tree, 'package.json'), 'utf8'));
    writeFileSync(path.join(tree, 'package.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
    console.log('Installing what runs …');
    run('npm', ['ci', '--omit=dev', '--loglevel=error', '--no-audit', '--no-fund'], tree);
    writeFileSync(bill, run('npm', ['sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx'], tree));
    writeFileSync(changes, changesInWords(version));
    // The same commit gives the same files in the same order, by the time of the commit.
    const time = run('git', ['log', '-1', '--format=%cI']).trim();
    const order = ['--sort=name', `--mtime=${time}`, '--owner=0', '--group=0', '--numeric-owner'];
    run('tar', [...order, '-czf', archive, '-C', folder, name]);
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
  const sums = await Promise.all(made.map(async (file) => `${await hashOf(path.join(folder, file))}  ${file}`));
  writeFileSync(path.join(folder, 'SHA256SUMS'), `${sums.join('\n')}\n`);
  const megabytes = Math.round(statSync(archive).size / 1e6);
  console.log(`${archive} has ${megabytes} MB. Beside it: ${made.slice(1).join(', ')}, SHA256SUMS`);
}

function changesInWords(version: string): string {
  const [tag] = run('git', ['tag', '--list', 'v*', '--sort=-version:refname']).split('\n').filter(Boolean);
  const subjects = run('git', ['log', '--no-merges', '--format=%s', ...(tag ? [`${tag}..HEAD`] : [])]).split('\n');
  return `# Switchyard ${version}\n\n${changesSince(subjects.filter(Boolean), tag)}\n`;
}

function run(program: string, args: string[], cwd = '.'): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    ...{ cwd, encoding: 'utf8', maxBuffer: 1 << 28 },
    env: { ...process.env, npm_config_ignore_scripts: 'true' },
  });
  if (error) throw new Error(`${program} could not be started: ${error.message}`);
  if (status !== 0) throw new Error(`${program} ${args[0]} failed: ${stderr.trim()}`);
  return stdout;
}

async function hashOf(file: string): Promise<string> {
  if (!existsSync(file)) throw new Error(`${file} was not made.`);
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
