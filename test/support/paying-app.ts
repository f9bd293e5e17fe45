import { type BuiltPerson, buildAdmin } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from './app.ts';
import { type PaymentSystem, paymentSecret, settingsFor, startPaymentSystem } from './payment-system.ts';

/** An app that hands its stipends over to a payment system of its own. */
export async function startPayingApp(secret = paymentSecret): Promise<{ app: TestApp; receiver: PaymentSystem }> {
  const receiver = await startPaymentSystem();
  return { receiver, app: await startTestApp(settingsFor(receiver, secret)) };
}

/** The same with an admin, Ada, who is signed in. */
export async function startPayingAppOfAda(): Promise<{
  app: TestApp;
  receiver: PaymentSystem;
  ada: BuiltPerson;
  admin: Client;
  close(): Promise<void>;
}> {
  const { app, receiver } = await startPayingApp();
  const ada = await buildAdmin(app.db);
  const close = async () => {
    await app.close();
    await receiver.close();
  };
  return { app, receiver, ada, admin: await app.as(ada), close };
}
