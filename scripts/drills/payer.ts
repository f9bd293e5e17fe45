import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '#server/platform/ids.ts';
import {
  type PaymentAnswer,
  type PaymentSystem,
  paymentSecret,
  sendConfirmation,
  settingsFor,
  startPaymentSystem,
} from '#test/support/payment-system.ts';
import type { Ground } from './ground.ts';

export interface Payer {
  system: PaymentSystem;
  /** What the product has to know of it. */
  settings: Record<string, string>;
  /** How often each batch was paid, by its id. */
  paid: Map<string, number>;
  /** Batches that came a second time with other bytes. */
  changed: string[];
  /** Batches that were confirmed, and the product said that it has it. */
  confirmed: Set<string>;
  /** How often it tells of each payment, from now on. */
  tells: number;
}

/** An answer that says no although the batch was taken. */
export const lie: PaymentAnswer = { status: 504 };

/** A payment system that takes batches, pays each one once, and confirms it until the product has heard. */
export async function startPayer(ground: Ground, publicUrl: string): Promise<Payer> {
  const system = await startPaymentSystem();
  ground.undo.push(system.close);
  const bodies = new Map<string, string>();
  const payer: Payer = {
    system,
    settings: settingsFor(system),
    paid: new Map(),
    changed: [],
    confirmed: new Set(),
    tells: 1,
  };
  let isOver = false;
  ground.undo.push(() => {
    isOver = true;
  });

  async function confirm(handoverId: string): Promise<void> {
    const body = { handover_id: handoverId, reference: `PAY ${handoverId}` };
    const messageId = newId();
    // It tells once more under the same id, and once more under another one.
    const ids = [messageId, messageId, newId()].slice(0, payer.tells);
    for (const id of ids) {
      while (!isOver && !(await isHeard(publicUrl, { body, messageId: id, secret: paymentSecret }))) await pause(500);
    }
    if (!isOver) payer.confirmed.add(handoverId);
  }

  async function work(): Promise<void> {
    for (let next = 0; !isOver; await pause(50)) {
      for (; next < system.received.length; next += 1) {
        const { headers, body, answer } = system.received[next] as PaymentSystem['received'][number];
        const id = String(headers['webhook-id']);
        if (!isTaken(answer)) continue;
        if (bodies.has(id) && bodies.get(id) !== body) payer.changed.push(id);
        // A receiver that has seen an id may ignore it.
        if (bodies.has(id)) continue;
        bodies.set(id, body);
        payer.paid.set(id, (payer.paid.get(id) ?? 0) + 1);
        void confirm(id);
      }
    }
  }

  void work();
  return payer;
}

function isTaken(answer: PaymentAnswer): boolean {
  return typeof answer === 'string' || answer.status < 300 || answer === lie;
}

async function isHeard(url: string, confirmation: Parameters<typeof sendConfirmation>[1]): Promise<boolean> {
  const answer = await sendConfirmation(url, confirmation).catch(() => null);
  await answer?.arrayBuffer().catch(() => null);
  return answer?.ok ?? false;
}
