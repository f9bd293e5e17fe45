import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { call } from './call.ts';
import { askForProofBy } from './fresh-proof.ts';

const sendMoney = endpoint({
  name: 'sendMoney',
  method: 'POST',
  path: '/api/money',
  access: 'stipends.manage',
  needsFreshProof: true,
  summary: 'Sends money.',
  body: z.object({ cents: z.number() }),
  response: z.object({ sent: z.number() }),
});

let takeBack = () => {};
afterEach(() => {
  takeBack();
  takeBack = () => {};
  vi.unstubAllGlobals();
});

/** A server that refuses until a proof is given, and then answers with the cents that were sent. */
function serverThatAsks(isProven: () => boolean) {
  const fetched = vi.fn(async (_address: string, { body }: RequestInit) => {
    if (isProven()) return Response.json({ sent: JSON.parse(String(body)).cents });
    const problem = {
      type: 'urn:switchyard:error:proof_required',
      title: 'Please confirm that it is you',
      status: 403,
      code: 'proof_required',
      detail: 'Please confirm that it is you, with your password or a code.',
      instance: null,
      errors: null,
    };
    return Response.json(problem, { status: 403 });
  });
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

test('a call that needs a fresh proof is made again with the same input after the proof', async () => {
  let isProven = false;
  const fetched = serverThatAsks(() => isProven);
  const dialog = vi.fn(async () => {
    isProven = true;
    return true;
  });
  takeBack = askForProofBy(dialog);
  expect(await call(sendMoney, { body: { cents: 500 } })).toEqual({ sent: 500 });
  expect(dialog).toHaveBeenCalledTimes(1);
  expect(fetched.mock.calls.map(([, init]) => init.body)).toEqual(['{"cents":500}', '{"cents":500}']);
});

test('calls that are refused at the same moment ask once, and each goes on with its own input', async () => {
  let isProven = false;
  serverThatAsks(() => isProven);
  let answer: (isGiven: boolean) => void = () => {};
  const dialog = vi.fn(
    () =>
      new Promise<boolean>((resolve) => {
        answer = resolve;
      }),
  );
  takeBack = askForProofBy(dialog);
  const calls = Promise.all([call(sendMoney, { body: { cents: 1 } }), call(sendMoney, { body: { cents: 2 } })]);
  await vi.waitFor(() => expect(dialog).toHaveBeenCalled());
  isProven = true;
  answer(true);
  expect(await calls).toEqual([{ sent: 1 }, { sent: 2 }]);
  expect(dialog).toHaveBeenCalledTimes(1);
});

test('a person who does not give the proof gets the refusal, and is asked again the next time', async () => {
  const fetched = serverThatAsks(() => false);
  const dialog = vi.fn(async () => false);
  takeBack = askForProofBy(dialog);
  for (const times of [1, 2]) {
    await expect(call(sendMoney, { body: { cents: 500 } })).rejects.toMatchObject({ code: 'proof_required' });
    expect(dialog).toHaveBeenCalledTimes(times);
    expect(fetched).toHaveBeenCalledTimes(times);
  }
});

test('where no dialog stands, the refusal is the answer', async () => {
  serverThatAsks(() => false);
  await expect(call(sendMoney, { body: { cents: 500 } })).rejects.toMatchObject({ code: 'proof_required' });
});
