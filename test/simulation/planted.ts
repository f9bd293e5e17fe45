import pg from 'pg';

/** Bugs that a simulation must find. */
export const plantedBugs = ['constraint', 'lock', 'key', 'notice', 'ledger'] as const;
export type PlantedBug = (typeof plantedBugs)[number];

/** What a bug changes in the database. */
export const plantedInDatabase: Partial<Record<PlantedBug, string[]>> = {
  // Nothing else refuses the second of two accounts that are made for one address at the same time.
  constraint: [
    'alter table profiles drop constraint profiles_email_key',
    'alter table auth."user" drop constraint user_email_key',
  ],
  // A message that comes again after a lost answer is not known.
  key: [
    `create function forget_key() returns trigger language plpgsql as $$ begin new.client_key := null; return new; end $$`,
    `create trigger a_key_is_forgotten before insert on coach_messages for each row execute function forget_key()`,
  ],
  // The line of some payments is missing.
  ledger: [
    `create function skip_line() returns trigger language plpgsql as $$ begin return null; end $$`,
    `create trigger a_line_is_skipped before insert on stipend_ledger for each row
      when (new.kind = 'payment' and hashtext(new.stipend_id::text) % 3 = 0) execute function skip_line()`,
  ],
};

export type Query = string | { text: string; name?: string; values?: unknown[] };
export type Send = (this: pg.Client, query: unknown, ...rest: unknown[]) => unknown;

export const prototype = pg.Client.prototype as unknown as { query: Send };

/** Plants in every statement of this process. */
export function plantInStatements(bug: string): void {
  const send = prototype.query;
  if (bug === 'lock') {
    prototype.query = function planted(query, ...rest) {
      return send.call(this, isQuery(query) ? withoutLocks(query) : query, ...rest);
    };
  }
  if (bug === 'notice') {
    let beside: Promise<pg.Client> | null = null;
    prototype.query = function planted(query, ...rest) {
      if (!isQuery(query) || !/insert into "?notice_events"?/i.test(textOf(query)))
        return send.call(this, query, ...rest);
      beside ??= connectBeside();
      return beside.then((client) => send.call(client, query));
    };
  }
}

function withoutLocks(query: Query): Query {
  const text = textOf(query);
  const open = text
    .replace(/\bfor (no key )?update( of "?\w+"?(, "?\w+"?)*)?( skip locked)?/gi, '')
    .replaceAll('pg_advisory_xact_lock(', 'coalesce(');
  if (open === text) return query;
  return typeof query === 'string' ? open : { text: open, values: query.values ?? [] };
}

async function connectBeside(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

export function isQuery(query: unknown): query is Query {
  return typeof query === 'string' || (typeof query === 'object' && query !== null && 'text' in query);
}

export function textOf(query: Query): string {
  return typeof query === 'string' ? query : query.text;
}
