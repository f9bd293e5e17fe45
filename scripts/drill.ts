// Breaks a running installation on purpose, and says what was lost: npm run drill -- NAME. Without a name it lists them.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Drill, runDrill } from './drills/ground.ts';

const drills: Record<string, { about: string; load: () => Promise<Drill> }> = {
  web: {
    about: 'three web processes and two workers behind nginx, each killed and started again under load',
    load: async () => (await import('./drills/web.ts')).drill,
  },
  pgbouncer: {
    about: 'requests through PgBouncer in transaction mode, with DATABASE_DIRECT_URL for the rest',
    load: async () => (await import('./drills/pgbouncer.ts')).drill,
  },
};
const list = Object.entries(drills).map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`);
const usage = `Usage: npm run drill -- NAME\n${list.join('\n')}`;

process.chdir(path.join(import.meta.dirname, '..'));
try {
  const name = readName();
  if (name === undefined) console.log(usage);
  else process.exit(await runDrill(name, await findDrill(name)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(2);
}

function readName(): string | undefined {
  try {
    const { positionals } = parseArgs({ options: {}, allowPositionals: true });
    if (positionals.length <= 1) return positionals[0];
  } catch (cause) {
    throw new Error(usage, { cause });
  }
  throw new Error(`One drill runs at a time.\n${usage}`);
}

function findDrill(name: string): Promise<Drill> {
  const drill = drills[name];
  if (!Object.hasOwn(drills, name) || !drill) throw new Error(`There is no drill called ${name}.\n${usage}`);
  return drill.load();
}
