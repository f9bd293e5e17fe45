import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import { readSession } from '#contract/accounts.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { Problem } from '#contract/errors.ts';
import type { Db } from '#server/db/database.ts';
import { openBody } from '#server/platform/sealed-bodies.ts';
import type { TestApp } from './app.ts';
import { waitInMs } from './patience.ts';
import { testSecret } from './test-secret.ts';

const SignInBody = Problem.partial().extend({ token: z.string().nullish() }).loose();

export interface SignInAnswer {
  status: number;
  /** The session cookie in the form of a request header. It is empty if the sign-in was refused. */
  cookie: string;
  /** The whole Set-Cookie header. */
  setCookie: string;
  /** The cookie that identifies the browser, in the form of a request header. It is empty if the server sent none. */
  deviceCookie: string;
  bearer: string | null;
  body: z.infer<typeof SignInBody>;
}

/** Signs in by email and password, as the sign-in page does. */
export async function signInWith(
  { url }: Pick<TestApp, 'url'>,
  email: string,
  password: string,
  headers: Record<string, string> = {},
): Promise<SignInAnswer> {
  const answer = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email, password }),
  });
  const [setCookie = '', deviceCookie = ''] = answer.headers.getSetCookie();
  return {
    status: answer.status,
    cookie: setCookie.split(';')[0] ?? '',
    setCookie,
    deviceCookie: deviceCookie.split(';')[0] ?? '',
    bearer: answer.headers.get('set-auth-token'),
    body: SignInBody.parse(await answer.json()),
  };
}

/** The server's answer to the sender of these headers. */
export async function sessionOf(
  { url }: Pick<TestApp, 'url'>,
  headers: Record<string, string>,
): Promise<ResponseOf<typeof readSession>> {
  const answer = await fetch(`${url}${readSession.path}`, { headers });
  return readSession.response.parse(await answer.json());
}

/** The emails written to an address, newest first, opened as the server that wrote them does. */
export async function mailsTo(db: Db, address: string) {
  const mails = await db
    .selectFrom('deliveries')
    .select(['id', 'kind', 'subject', 'isSealed', 'textBody', 'htmlBody', 'recipientId'])
    .where('address', '=', address)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return mails.map(({ kind, subject, recipientId, ...body }) => {
    return { kind, subject, textBody: openBody([testSecret], body).text, recipientId };
  });
}

/** Resolves when that many emails were written to an address. If a job writes them, jobs must run. */
export async function waitForMails(db: Db, address: string, count: number): Promise<void> {
  await until(async () => (await mailsTo(db, address)).length >= count, `${count} mails to ${address}`);
}

/** Resolves when no job of this name waits or runs. */
export async function jobsAreDone(db: Db, name: string): Promise<void> {
  await until(async () => {
    const open = await sql`
      select from pgboss.job where name = ${name} and state in ('created', 'retry', 'active') limit 1`.execute(db);
    return open.rows.length === 0;
  }, `the jobs ${name} to end`);
}

async function until(isReached: () => Promise<boolean>, what: string): Promise<void> {
  const limit = Date.now() + waitInMs;
  while (!(await isReached())) {
    if (Date.now() > limit) throw new Error(`Waited in vain for ${what}.`);
    await setTimeout(20);
  }
}

/** The first link in the newest email to an address. */
export async function linkInMail(db: Db, address: string): Promise<URL> {
  const [mail] = await mailsTo(db, address);
  const link = /https?:\/\/\S+(?=\s)/.exec(mail?.textBody ?? '')?.[0];
  if (!link) throw new Error(`No mail with a link was written to ${address}.`);
  return new URL(link);
}
