import pg from 'pg';

export interface Statement {
  text: string;
  values: unknown[];
}

let recorded: Statement[] | null = null;

/** Records every statement that this process sends to PostgreSQL while `run` runs. */
export async function recordStatements(run: () => Promise<void>): Promise<Statement[]> {
  const own: Statement[] = [];
  recorded = own;
  try {
    await run();
  } finally {
    recorded = null;
  }
  return own;
}

// Patch this first. Code that later wraps the query of an open connection then wraps this patch.
const original = pg.Client.prototype.query;
pg.Client.prototype.query = function record(this: pg.Client, ...call: unknown[]) {
  const [first, second] = call;
  const text = typeof first === 'string' ? first : (first as { text?: string } | undefined)?.text;
  const values = Array.isArray(second) ? second : ((first as { values?: unknown[] } | undefined)?.values ?? []);
  if (text) recorded?.push({ text, values });
  return Reflect.apply(original, this, call);
} as typeof original;
