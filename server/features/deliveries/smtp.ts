import { Readable } from 'node:stream';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Config } from '#server/config.ts';

interface Sending {
  longestInMs: number;
  /**
   * Called when the mail server has all but the line that ends the mail. It has taken nothing by then. If this throws,
   * that line is not sent.
   */
  beforeEnd(): Promise<void>;
}

const silenceInMs = 20_000;

/**
 * Throws with a reason unless the mail server said yes to the whole mail within the time. A server that keeps saying
 * something else runs out of that time too. The connection is gone afterward.
 */
export async function sendBySmtp(
  { smtpUrl, smtpNeedsTls }: Pick<Config, 'smtpNeedsTls'> & { smtpUrl: string },
  mail: SendMailOptions,
  { longestInMs, beforeEnd }: Sending,
): Promise<void> {
  const deadline = AbortSignal.timeout(longestInMs);
  const transport = createTransport({
    url: smtpUrl,
    requireTLS: smtpNeedsTls,
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

/** True if the mail server itself said no. Then it has certainly not taken the mail. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'responseCode' in error && Number(error.responseCode) >= 400;
}

/**
 * Reads only as the connection takes it. So it does not reach the end before the mail server has asked for the mail.
 */
async function* endedAfter(content: AsyncIterable<Buffer>, beforeEnd: () => Promise<void>) {
  yield* content;
  await beforeEnd();
}
