import { startTestApp, type TestApp } from './app.ts';
import { type PaymentSystem, paymentSecret, settingsFor, startPaymentSystem } from './payment-system.ts';

/** An app that hands its stipends over to a payment system of its own. */
export async function startPayingApp(secret = paymentSecret): Promise<{ app: TestApp; receiver: PaymentSystem }> {
  const receiver = await startPaymentSystem();
  return { receiver, app: await startTestApp(settingsFor(receiver, secret)) };
}
