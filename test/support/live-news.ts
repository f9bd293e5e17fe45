import pg from 'pg';
import { expect, vi } from 'vitest';
import type { TestApp } from './app.ts';

interface News {
  userIds: string[] | null;
  facts?: string[];
}

const channel = 'switchyard_live';

/** Listens to what the act tells open browsers. Returns, for a person, the sorted facts that changed. */
export async function toldBy({ db, connectionString }: TestApp, act: () => Promise<unknown>) {
  const client = new pg.Client({ connectionString });
  const heard: News[] = [];
  client.on('notification', ({ payload }) => heard.push(JSON.parse(payload ?? '')));
  await client.connect();
  await client.query(`listen ${channel}`);
  await act();
  // News arrives in the order of its transactions. When this one is here, all are.
  const end = JSON.stringify({ userIds: [] });
  await db.selectNoFrom(({ fn, val }) => fn('pg_notify', [val(channel), val(end)]).as('told')).execute();
  await vi.waitFor(() => expect(heard.at(-1)?.userIds).toEqual([]), { interval: 20 });
  await client.end();
  return (person: { id: string }): string[] => {
    const own = heard.filter(({ userIds }) => userIds?.includes(person.id) ?? true);
    return [...new Set(own.flatMap(({ facts = [] }) => facts))].sort();
  };
}
