import { createTransport, type SendMailOptions } from 'nodemailer';

const silenceInMs = 20_000;

/**
 * Throws with a reason unless the mail server said yes to the whole mail within the time, also when it says something
 * again and again and never that. The connection is gone afterwards.
 */
export async function sendBySmtp(smtpUrl: string, mail: SendMailOptions, longestInMs: number): Promise<void> {
  const deadline = AbortSignal.timeout(longestInMs);
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: silenceInMs,
    greetingTimeout: silenceInMs,
    socketTimeout: silenceInMs,
    dnsTimeout: silenceInMs,
    socketCloseTimeout: 0,
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
