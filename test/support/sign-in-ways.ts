import { sql } from 'kysely';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Db } from '#server/db/database.ts';
import type { TestApp } from './app.ts';

/** A bare call whose cookies matter. `cookie` is the session that it began, in the form of a request header. */
export async function post(
  { url }: Pick<TestApp, 'url'>,
  endpoint: Endpoint,
  body: object = {},
  headers: Record<string, string> = {},
): Promise<Response & { cookie: string }> {
  const answer = await fetch(`${url}${endpoint.path}`, {
    method: endpoint.method,
    headers: { ...(endpoint.body ? { 'content-type': 'application/json' } : {}), ...headers },
    body: endpoint.body ? JSON.stringify(body) : undefined,
    redirect: 'manual',
  });
  return Object.assign(answer, { cookie: sessionCookieOf(answer) });
}

export function sessionCookieOf(answer: Response): string {
  const set = answer.headers.getSetCookie().find((cookie) => cookie.includes('.session_token='));
  return set?.split(';')[0] ?? '';
}

/** Stores a confirmed code generator whose codes nobody knows. */
export async function confirmSecondFactor(db: Db, userId: string): Promise<void> {
  await sql`
    insert into auth.second_factor (user_id, encrypted_secret, confirmed_at)
    values (${userId}, 'sealed', now())`.execute(db);
}
