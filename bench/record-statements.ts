import pg from 'pg';

export interface Statement {
  text: string;
  values: unknown[];
}

/** Every statement that this process sends to PostgreSQL while `run` runs. */
export async function recordStatements(run: () => Promise<void>): Promise<Statement[]> {
  const recorded: Statement[] = [];
  const original = pg.Client.prototype.query;
  pg.Client.prototype.query = function record(this: pg.Client, ...call: unknown[]) {
    const [first, second] = call;
    const text = typeof first === 'string' ? first : (first as { text?: string } | undefined)?.text;
    const values = Array.isArray(second) ? second : ((first as { values?: unknown[] } | undefined)?.values ?? []);
    if (text) recorded.push({ text, values });
    return Reflect.apply(original, this, call);
  } as typeof original;
  try {
    await run();
  } finally {
    pg.Client.prototype.query = original;
  }
  return recorded;
}
