import { Readable } from 'node:stream';
import { createTransport, type SendMailOptions } from 'nodemailer';

interface Sending {
  longestInMs: number;
  /** Called when all but the line that ends the mail is with the mail server, which has taken nothing then. When it throws, that line is not sent. */
  beforeEnd(): Promise<void>;
}

const silenceInMs = 20_000;

/**
 * Throws with a reason unless the mail server said yes to the whole mail within the time, also when it says something
 * again and again and never that. The connection is gone afterwards.
 */
export async function sendBySmtp(
  smtpUrl: string,
  mail: SendMailOptions,
  { longestInMs, beforeEnd }: Sending,
): Promise<void> {
  const deadline = AbortSignal.timeout(longestInMs);
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: silenceInMs,
    greetingTimeout: silenceInMs,
    socketTimeout: longestInMs,
    dnsTimeout: silenceInMs,
    socketCloseTimeout: 0,
  });
  transport.use('stream', ({ message }, done) => {
    message.processFunc((content) => Readable.from(endedAfter(content, beforeEnd)));
    done();
  });
  try {
    await transport.sendMail({ ...mail, signal: deadline });
  } catch (error) {
    if (!deadline.aborted) throw error;
    throw new Error(`The mail server did not take the mail within ${longestInMs / 1000} seconds.`, { cause: error });
  } finally {
    transport.close();
  }
}

/** Whether the mail server itself said no, of which it is certain that it has not taken the mail. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'responseCode' in error && Number(error.responseCode) >= 400;
}

/** Read only as the connection takes it, so that the end is not reached before the mail server has asked for the mail. */
async function* endedAfter(content: AsyncIterable<Buffer>, beforeEnd: () => Promise<void>) {
  yield* content;
  await beforeEnd();
}
