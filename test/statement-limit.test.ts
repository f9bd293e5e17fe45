import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { statementLimit, watchStatements } from './support/statement-limit.ts';

const deadlock = () => Promise.reject(Object.assign(new Error('deadlock detected'), { code: '40P01' }));
const conflict = () => Promise.reject(Object.assign(new Error('duplicate key'), { code: '23505' }));

/**
 * Returns what the limit says of one request that sends these statements. A failing statement comes with its answer.
 */
async function judged(statements: (string | [string, () => Promise<never>])[]): Promise<string | null> {
  const [server, pool] = [new EventEmitter(), new EventEmitter()];
  const client = { query: async (_: string) => ({ rows: [] }) };
  const answers = new Map(statements.flatMap((one) => (typeof one === 'string' ? [] : [one])));
  client.query = (text) => answers.get(text)?.() ?? Promise.resolve({ rows: [] });
  const check = watchStatements({ http: { server }, pool } as unknown as Parameters<typeof watchStatements>[0]);
  pool.emit('connect', client);
  const isOver = new Promise<void>((resolve) => {
    server.on('request', async (_, reply: EventEmitter) => {
      for (const one of statements) {
        await client.query(typeof one === 'string' ? one : one[0]).catch(() => undefined);
      }
      reply.emit('close');
      resolve();
    });
  });
  server.emit('request', { method: 'POST', url: '/api/anything' }, new EventEmitter());
  await isOver;
  try {
    check();
    return null;
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
  }
}

const selects = (count: number) => Array.from({ length: count }, (_, index) => `select ${index}`);

test('ten statements are enough for a request, its transaction not counted', async () => {
  expect(await judged(['begin', ...selects(statementLimit), 'commit'])).toBeNull();
  expect(await judged(['begin', ...selects(statementLimit + 1), 'commit'])).toBe(
    'POST /api/anything sent 11 statements, more than 10:',
  );
});

test('what the database ended to free another one counts once, whatever else failed counts twice', async () => {
  const twice = (failure: () => Promise<never>): Parameters<typeof judged>[0] => [
    'select before',
    ...['begin', ...selects(6)],
    ['update', failure],
    ...['rollback', 'begin', ...selects(6), 'commit'],
  ];
  expect(await judged(twice(deadlock))).toBeNull();
  expect(await judged(twice(conflict))).toBe('POST /api/anything sent 14 statements, more than 10:');
});

test('a statement whose text differs with the number of its values is refused, and so is a choice that a value switches off', async () => {
  const differs = await judged(['select from profiles where id in ($1)', 'select from profiles where id in ($1, $2)']);
  expect(differs).toMatch(
    'A statement differs with the number of its values: select from profiles where id in ($1, $2)',
  );
  const switched = 'select from profiles where ($1::uuid is null or id = $2)';
  expect(await judged([switched])).toBe(`A statement has a choice that a value switches off: ${switched}`);
  const alike = ['select from profiles where id = any($1) and role = $2', 'select from profiles where id = any($1)'];
  expect(await judged([...alike, ...alike])).toBeNull();
});
