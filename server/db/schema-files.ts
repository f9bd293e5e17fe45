import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

export type SqlFile = { path: string; sql: string };
export type Step = { files: SqlFile[]; checksum: string };
/** `replaced` holds the migrations that made the same schema before: their names and checksums. */
type Baseline = Step & { replaced: Map<string, string> };
export type SchemaFiles = { baseline: Baseline; migrations: (Step & { name: string })[] };

/** The folder `baseline` in it makes the first schema. The folder `migrations` in it makes every later change. */
export const schemaFolder = import.meta.dirname;

export async function readSchemaFiles(folder: string): Promise<SchemaFiles> {
  return {
    baseline: await readBaseline(path.join(folder, 'baseline')),
    migrations: await readMigrations(path.join(folder, 'migrations')),
  };
}

/** Changes when any file of the schema changes. */
export async function checksumOfSchema(folder: string = schemaFolder): Promise<string> {
  const { baseline, migrations } = await readSchemaFiles(folder);
  return checksumOf([baseline, ...migrations].map(({ checksum }) => checksum).join('\n'));
}

function checksumOf(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

async function readBaseline(folder: string): Promise<Baseline> {
  const names = await readLines(path.join(folder, 'order.txt'));
  const unlisted = (await sqlNamesIn(folder)).filter((name) => !names.includes(name));
  if (unlisted.length > 0) throw new Error(`baseline/order.txt does not name ${unlisted.join(', ')}.`);
  const files = await Promise.all(names.map((name) => readSql(path.join(folder, name))));
  const replaced = new Map<string, string>();
  for (const line of await readLines(path.join(folder, 'replaced.txt'))) {
    const [checksum = '', name = ''] = line.split(' ');
    replaced.set(name, checksum);
  }
  return { files, checksum: checksumOf(files.map(({ sql }) => sql).join('\n')), replaced };
}

async function readMigrations(folder: string): Promise<SchemaFiles['migrations']> {
  const names = await sqlNamesIn(folder);
  const seen = new Map<string, string>();
  for (const name of names) {
    const number = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1];
    if (!number) throw new Error(`Migration ${name} must be named like 0001-what-it-brings.sql.`);
    const other = seen.get(number);
    if (other) throw new Error(`Migrations ${other} and ${name} have the same number.`);
    seen.set(number, name);
  }
  return Promise.all(
    names.map(async (name) => {
      const file = await readSql(path.join(folder, name));
      return { name, files: [file], checksum: checksumOf(file.sql) };
    }),
  );
}

async function readLines(file: string): Promise<string[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

async function sqlNamesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
}

async function readSql(file: string): Promise<SqlFile> {
  return { path: file, sql: await readFile(file, 'utf8') };
}
