import { createHash } from 'node:crypto';
import { type Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { readHistory } from './schema-history.ts';
import { beginLoading, beginSnapshot, type CopiedTable, copyOut, findSequences, findTables } from './table-copies.ts';
import { loadTables } from './table-loading.ts';

/**
 * Brings all rows of one database into an empty one, and reads every table again on both sides. Throws unless each is
 * the same text. Nothing of `to` stays then.
 */
export async function transferTables(from: pg.ClientBase, to: pg.ClientBase): Promise<void> {
  await beginSnapshot(from);
  const history = await readHistory(from);
  if (history.size > 0) {
    const tables = await findTables(from);
    await beginLoading(to);
    const read = new Map<string, () => string>();
    await loadTables(to, {
      history,
      tables,
      sequences: await findSequences(from),
      open: async (table) => {
        const { stream, hash } = hashed(copyOut(from, table));
        read.set(table.name, hash);
        return stream;
      },
    });
    for (const table of tables) {
      if ((await hashOf(to, table)) !== read.get(table.name)?.()) {
        throw new Error(`${table.name} is not the same after it was copied.`);
      }
    }
    await to.query('commit');
    await to.query('analyze');
  }
  await from.query('commit');
}

async function hashOf(client: pg.ClientBase, table: CopiedTable): Promise<string> {
  const { stream, hash } = hashed(copyOut(client, table));
  await pipeline(stream, new Writable({ write: (_chunk, _encoding, done) => done() }));
  return hash();
}

function hashed(rows: Readable): { stream: Readable; hash(): string } {
  const sum = createHash('sha256');
  const stream = rows.pipe(
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        sum.update(chunk);
        done(null, chunk);
      },
    }),
  );
  rows.on('error', (error) => stream.destroy(error));
  return { stream, hash: () => sum.digest('hex') };
}
