// Breaks a running installation on purpose, and says what was lost: npm run drill -- NAME. Without a name it lists them.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { codeOf, type Drill, runDrill } from './drills/ground.ts';

const drills: Record<string, { about: string; load: () => Promise<Drill> }> = {
  web: {
    about: 'three web processes and two workers behind nginx, each killed and started again under load',
    load: async () => (await import('./drills/web.ts')).drill,
  },
  pgbouncer: {
    about: 'requests through PgBouncer in transaction mode, with DATABASE_DIRECT_URL for the rest',
    load: async () => (await import('./drills/pgbouncer.ts')).drill,
  },
  s3: {
    about: 'files and backups in a bucket of Ceph, whose S3 server is killed and made to hang under load',
    load: async () => (await import('./drills/s3.ts')).drill,
  },
  patroni: {
    about: 'a Patroni cluster with synchronous replication, whose primary is killed under load, twice',
    load: async () => (await import('./drills/patroni.ts')).drill,
  },
  replica: {
    about: 'reads at a replica that is delayed, stopped and paused, by people who read what they have just written',
    load: async () => (await import('./drills/replica.ts')).drill,
  },
  upgrade: {
    about:
      'a rolling restart from an earlier version to this one (--from TAG or COMMIT; the default is the last release)',
    load: async () => (await import('./drills/upgrade.ts')).drill,
  },
};
const list = Object.entries(drills).map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`);
const usage = `Usage: npm run drill -- NAME\n${list.join('\n')}`;

process.chdir(path.join(import.meta.dirname, '..'));
try {
  const { name, from } = readArguments();
  if (name === undefined) console.log(usage);
  else process.exit(codeOf(await runDrill(name, await findDrill(name), { from })));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(2);
}

function readArguments(): { name: string | undefined; from: string | undefined } {
  const { positionals, values } = tryToParse();
  const [name, ...others] = positionals;
  if (others.length > 0) throw new Error(`One drill runs at a time.\n${usage}`);
  if (values.from !== undefined && name !== 'upgrade') throw new Error(`Only upgrade takes --from.\n${usage}`);
  return { name, from: values.from };
}

function tryToParse() {
  try {
    return parseArgs({ options: { from: { type: 'string' } }, allowPositionals: true });
  } catch (cause) {
    throw new Error(usage, { cause });
  }
}

function findDrill(name: string): Promise<Drill> {
  const drill = drills[name];
  if (!Object.hasOwn(drills, name) || !drill) throw new Error(`There is no drill called ${name}.\n${usage}`);
  return drill.load();
}
