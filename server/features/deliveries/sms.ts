import { z } from 'zod';
import type { SmsConfig } from '#server/config.ts';
import { type OutgoingAnswer, postForAnswer } from '#server/platform/outgoing-request.ts';

export interface TextMessage {
  /** It is the same on every try. By it a provider knows a message that it has already taken. */
  id: string;
  /** E.164, such as '+12125552368'. */
  to: string;
  text: string;
}

/** The provider says this when it does not take a message. */
export interface SmsRefusal {
  reason: string;
  /** True if another try would change nothing, as for a number that does not exist. */
  isFinal: boolean;
}

const longestReason = 200;
const finalStatuses = [400, 422];

/**
 * Returns null if the provider took it. Throws with a reason if the provider cannot be reached or does not answer in
 * time.
 */
export async function sendSms(sms: SmsConfig, message: TextMessage, timeoutInMs: number): Promise<SmsRefusal | null> {
  const { url, headers, body } =
    sms.provider === 'twilio' ? inTwiliosFormat(sms, message) : inPlainFormat(sms, message);
  const answer = await postForAnswer({
    url,
    headers: { ...headers, 'idempotency-key': message.id },
    body,
    timeoutInMs,
    allowPrivate: sms.allowPrivate,
  });
  if (answer.status >= 200 && answer.status < 300) return null;
  return {
    reason: `The SMS provider answered ${answer.status}${explanationIn(answer)}`,
    isFinal: finalStatuses.includes(answer.status),
  };
}

function inPlainFormat(sms: SmsConfig & { provider: 'http' }, { id, to, text }: TextMessage) {
  return {
    url: sms.url,
    headers: { authorization: `Bearer ${sms.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id, to, ...(sms.from === null ? {} : { from: sms.from }), text }),
  };
}

function inTwiliosFormat(sms: SmsConfig & { provider: 'twilio' }, { to, text }: TextMessage) {
  const sender = sms.from.startsWith('MG') ? 'MessagingServiceSid' : 'From';
  return {
    url: `${sms.url}/2010-04-01/Accounts/${sms.account}/Messages.json`,
    headers: {
      authorization: `Basic ${Buffer.from(`${sms.account}:${sms.token}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ To: to, [sender]: sms.from, Body: text }).toString(),
  };
}

const Explanation = z.object({ message: z.string() });

/** Returns the sentence that many providers put into a refusal. */
function explanationIn({ text }: OutgoingAnswer): string {
  const explained = Explanation.safeParse(readJson(text));
  return explained.success ? `: ${explained.data.message.slice(0, longestReason)}` : '.';
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
