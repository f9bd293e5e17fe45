import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { recallRefusal } from './handover-access.ts';
import { signaturesOf, verifyMessage } from './webhook-signer.ts';

const secret = `whsec_${Buffer.from('the key in use by now').toString('base64')}`;
const formerSecret = 'the key as plain text';
const body = '{"total_amount":500}';
const at = new Date();

const signer = new Webhook(secret);
const formerSigner = new Webhook(formerSecret, { format: 'raw' });
const signed = (signature: string, time = at) => ({
  'webhook-id': 'message-1',
  'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
  'webhook-signature': signature,
});

test('a message is signed with the secret, and also with the former one while both are in use', () => {
  const [now, former] = [signer.sign('message-1', at, body), formerSigner.sign('message-1', at, body)];
  expect(signaturesOf({ secret, formerSecret: null }, 'message-1', at, body)).toBe(now);
  expect(signaturesOf({ secret, formerSecret }, 'message-1', at, body)).toBe(`${now} ${former}`);
  expect(signaturesOf({ secret: null, formerSecret: null }, 'message-1', at, body)).toBe('');
});

/** The words of a refusal, or null for a message that is believed. */
function refusalOf(signature: string, { time = at, former = formerSecret as string | null } = {}): string | null {
  try {
    verifyMessage({ secret, formerSecret: former }, body, signed(signature, time));
    return null;
  } catch (error) {
    return String(error);
  }
}

test('a message is believed if one of the secrets signed it, and otherwise refused by the first refusal', () => {
  const former = formerSigner.sign('message-1', at, body);
  expect([refusalOf(signer.sign('message-1', at, body)), refusalOf(former)]).toEqual([null, null]);
  const noMatch = 'WebhookVerificationError: No matching signature found';
  expect(refusalOf(former, { former: null })).toBe(noMatch);
  expect(refusalOf(signer.sign('message-1', at, '{}'))).toBe(noMatch);
  const old = new Date(at.getTime() - 6 * 60_000);
  expect(refusalOf(signer.sign('message-1', old, body), { time: old })).toBe(
    'WebhookVerificationError: Message timestamp too old',
  );
});

test.each([
  ['queued', false, null],
  ['failed', false, null],
  ['given_up', false, null],
  ['failed', true, 'conflict: This batch is being sent at this moment. Please look again in a minute.'],
  ['sent', false, 'conflict: The payment system has accepted this batch already.'],
  ['recalled', false, 'stale: This batch was recalled already.'],
])('a batch that is %s (being sent: %s) is taken back, or refused in words', (status, isBeingSent, words) => {
  const refusal = recallRefusal({ status, isBeingSent });
  expect(refusal && `${refusal.code}: ${refusal.message}`).toBe(words);
});
