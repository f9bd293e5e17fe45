import { Secret, TOTP } from 'otpauth';
import { signIn } from '#contract/accounts.ts';
import type { Endpoint, InputOf, ResponseOf } from '#contract/endpoint.ts';
import type { Problem } from '#contract/errors.ts';
import type { Role } from '#contract/roles.ts';
import { confirmSecondFactor, enrolSecondFactor } from '#contract/second-factor.ts';
import { now } from '#server/platform/clock.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import type { TestApp } from './app.ts';
import { refusalOf, requireTaken } from './problem-of.ts';

/** Keeps cookies between requests, as a browser does, and shows them to the test. */
export interface CookieBrowser {
  cookies: Map<string, string>;
  send(endpoint: Endpoint, input?: unknown): Promise<Response>;
  call<E extends Endpoint>(endpoint: E, input?: InputOf<E>): Promise<ResponseOf<E>>;
  /** Returns the refusal. Throws if the server accepts. */
  refused<E extends Endpoint>(endpoint: E, input?: InputOf<E>): Promise<Problem & { retryAfter: string | null }>;
}

export interface PersonWithPassword {
  id: string;
  email: string;
  password: string;
}

let count = 0;

export async function createPerson(
  { db }: Pick<TestApp, 'db'>,
  role: Role = 'participant',
): Promise<PersonWithPassword> {
  count += 1;
  const email = `${role}-${count}@factor.example`;
  const password = 'Power-Up-1';
  const person = { email, password, firstName: 'Sam', lastName: 'Sol', role, trackType: null };
  return { email, password, id: await createSignInWithPassword(db, person) };
}

export function openBrowser({ url }: Pick<TestApp, 'url'>, headers: Record<string, string> = {}): CookieBrowser {
  const cookies = new Map<string, string>();
  const send = async (endpoint: Endpoint, input: unknown = {}) => {
    const { body, params = {} } = input as { body?: unknown; params?: Record<string, string> };
    const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '');
    const answer = await fetch(`${url}${path}`, {
      method: endpoint.method,
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'user-agent': 'Mozilla/5.0 (Test)',
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const split = pair.indexOf('=');
      if (/Max-Age=0/i.test(cookie)) cookies.delete(pair.slice(0, split));
      else cookies.set(pair.slice(0, split), pair.slice(split + 1));
    }
    return answer;
  };
  return {
    cookies,
    send,
    call: async (endpoint, input) => {
      const answer = await send(endpoint, input);
      await requireTaken(endpoint, answer);
      return endpoint.response.parse(await answer.json()) as ResponseOf<typeof endpoint>;
    },
    refused: async (endpoint, input) => {
      const answer = await send(endpoint, input);
      return { ...(await refusalOf(endpoint, answer)), retryAfter: answer.headers.get('retry-after') };
    },
  };
}

/** Signs in by password, on a new device unless a browser is given. */
export async function signInAs(
  server: Pick<TestApp, 'url'>,
  { email, password }: PersonWithPassword,
  browser: CookieBrowser = openBrowser(server),
): Promise<CookieBrowser> {
  const answer = await browser.send(signIn, { body: { email, password } });
  if (!answer.ok) throw new Error(`${email} could not sign in: ${await answer.text()}`);
  return browser;
}

/** What the person's app shows now, or some 30-second steps earlier or later. */
export function codeFor(secret: string, stepsLater = 0): string {
  const timestamp = now().getTime() + stepsLater * 30_000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

/** A code of no step around now. */
export function wrongCodeFor(secret: string): string {
  const right = new Set([-2, -1, 0, 1, 2].map((steps) => codeFor(secret, steps)));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.has(code)) ?? '666666';
}

/** Turns the second factor on with the previous step's code, which leaves the present one for the test. */
export async function setUpSecondFactor(browser: CookieBrowser) {
  const { secret, uri } = await browser.call(enrolSecondFactor, {});
  const { recoveryCodes } = await browser.call(confirmSecondFactor, { body: { code: codeFor(secret, -1) } });
  return { secret, uri, recoveryCodes };
}

/** A person with a second factor, signed in with it. */
export async function createProtected(server: Pick<TestApp, 'db' | 'url'>, role: Role = 'participant') {
  const person = await createPerson(server, role);
  const browser = await signInAs(server, person);
  return { person, browser, ...(await setUpSecondFactor(browser)) };
}
