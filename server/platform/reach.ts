import { machineTime } from './clock.ts';
import { headOf } from './outgoing-request.ts';

const answerLimitInMs = 5_000;
/** Loads only where somebody looks whether the mail server answers. */
const loadMailer = () => import('nodemailer');

export interface Reached {
  /** Why it could not be reached. Null if it answered. */
  failure: string | null;
  /** How far its clock is ahead of ours, in seconds. Null if it did not say. */
  clockAheadSeconds: number | null;
}

/** Asks a web server for nothing but its head. Any answer will do. */
export async function reachWebServer(address: string, { allowPrivate }: { allowPrivate: boolean }): Promise<Reached> {
  try {
    const { date } = await headOf({ url: new URL('/', address).href, timeoutInMs: answerLimitInMs, allowPrivate });
    // The header has whole seconds.
    const ahead = date === null ? null : (Date.parse(date) + 500 - machineTime().getTime()) / 1000;
    return { failure: null, clockAheadSeconds: ahead };
  } catch (error) {
    return { failure: wordsOf(error), clockAheadSeconds: null };
  }
}

/** Connects and signs in as for an email, and sends none. Returns why it failed, or null. */
export async function reachMailServer(smtpUrl: string, requireTLS: boolean): Promise<string | null> {
  const limits = {
    connectionTimeout: answerLimitInMs,
    greetingTimeout: answerLimitInMs,
    socketTimeout: answerLimitInMs,
  };
  const { createTransport } = await loadMailer();
  const transport = createTransport({ url: smtpUrl, requireTLS, ...limits, dnsTimeout: answerLimitInMs });
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return wordsOf(error);
  } finally {
    transport.close();
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
