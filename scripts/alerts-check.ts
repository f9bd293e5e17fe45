// Has Prometheus' own tool check docs/monitoring and run the tests of its alerts: npm run alerts:check
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { argumentsOrEnd } from '#server/command.ts';

const root = path.join(import.meta.dirname, '..');
const monitoring = path.join(root, 'docs', 'monitoring');
const kept = path.join(root, 'node_modules', '.cache', 'prometheus');
const aptGet = '/usr/bin/apt-get';

argumentsOrEnd('Usage: npm run alerts:check', {});
const promtool = findPromtool() ?? unpackPromtool();
if (!promtool) {
  console.error(
    'The alerts need promtool of Prometheus. Install it (the package prometheus on Debian), or set PROMTOOL_PATH to it.',
  );
  process.exit(1);
}
const runs = [
  ['check', 'rules', 'alerts.yml'],
  ['test', 'rules', 'alerts.test.yml'],
  ['check', 'config', '--syntax-only', 'prometheus.yml'],
  ['check', 'rules', writeDashboardAsRules()],
].map((args) => run(promtool, args, monitoring));
process.exitCode = runs.every(Boolean) ? 0 : 1;

function findPromtool(): string | null {
  const given = process.env.PROMTOOL_PATH;
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), path.join(kept, 'usr', 'bin')];
  const places = given ? [given] : folders.map((folder) => path.join(folder, 'promtool'));
  return places.find((place) => existsSync(place)) ?? null;
}

/** Takes the tool out of Debian's package. Installing the package would start a Prometheus. */
function unpackPromtool(): string | null {
  if (process.env.PROMTOOL_PATH || !existsSync(aptGet)) return null;
  console.log('Taking promtool out of the package prometheus …');
  mkdirSync(kept, { recursive: true });
  if (!run(aptGet, ['download', '-q', 'prometheus'], kept)) return null;
  const archive = readdirSync(kept).find((name) => name.endsWith('.deb'));
  return archive && run('dpkg-deb', ['-x', archive, '.'], kept) ? findPromtool() : null;
}

/** The expressions of the dashboard as rules, because the tool reads no dashboards. */
function writeDashboardAsRules(): string {
  const Dashboard = z.object({ panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })) });
  const { panels } = Dashboard.parse(JSON.parse(readFileSync(path.join(monitoring, 'dashboard.json'), 'utf8')));
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const rules = expressions.map((expr, index) => ({ record: `dashboard:${index}`, expr }));
  const file = path.join(kept, 'dashboard.json');
  mkdirSync(kept, { recursive: true });
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  return file;
}

function run(program: string, args: string[], cwd: string): boolean {
  return spawnSync(program, args, { cwd, stdio: 'inherit' }).status === 0;
}
