import { sql } from 'kysely';
import { type Reached, reachMailServer, reachWebServer } from '#server/platform/reach.ts';
import { answerOnClock } from './database-looks.ts';
import { type Answer, fault, type Inspected } from './inspected.ts';

const mostPushServices = 3;

export async function lookAtMailServer({ config: { smtpUrl, smtpNeedsTls } }: Inspected): Promise<Answer> {
  const failure = smtpUrl === null ? null : await reachMailServer(smtpUrl, smtpNeedsTls);
  if (failure === null) return null;
  return fault(`The mail server cannot be reached: ${failure}`, 'Correct SMTP_URL, or let this machine through to it.');
}

export async function lookAtPaymentSystem({ config: { stipendWebhook } }: Inspected): Promise<Answer> {
  const { url, allowPrivate } = stipendWebhook;
  if (url === null) return null;
  return answerOn(
    'The payment system',
    await reachWebServer(url, { allowPrivate }),
    'Correct STIPEND_WEBHOOK_URL, or let this machine through to it.',
  );
}

export async function lookAtSms({ config: { sms } }: Inspected): Promise<Answer> {
  if (sms === null) return null;
  return answerOn(
    'The SMS provider',
    await reachWebServer(sms.url, sms),
    'Correct SMS_URL, or let this machine through to it.',
  );
}

/** Writes a little and removes it. */
export async function lookAtStorage({ storage, config }: Inspected): Promise<Answer> {
  try {
    await storage.isHealthy();
    return null;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return fault(
      `The storage of files takes no write: ${words}`,
      config.s3
        ? 'Correct the S3_ settings, or the rights of the key.'
        : 'Make DATA_DIR writable for the account that runs Switchyard.',
    );
  }
}

/** Push services of browsers that people added. */
export async function lookAtPushServices({ db, config }: Inspected): Promise<Answer> {
  const { rows } = await sql<{ origin: string }>`
    select distinct substring(endpoint from '^https?://[^/]+') as origin from (
      select endpoint from push_subscriptions order by created_at desc limit 1000) newest
    order by origin limit ${mostPushServices}`.execute(db);
  for (const { origin } of rows) {
    const reached = await reachWebServer(origin, { allowPrivate: config.pushAllowPrivate });
    const answer = answerOn(`The push service ${origin}`, reached, 'Let this machine through to it.');
    if (answer) return answer;
  }
  return null;
}

function answerOn(whose: string, { failure, clockAheadSeconds }: Reached, remedy: string): Answer {
  if (failure !== null) return fault(`${whose} cannot be reached: ${failure}`, remedy);
  return clockAheadSeconds === null ? null : answerOnClock(whose.replace(/^The/, 'the'), clockAheadSeconds);
}
