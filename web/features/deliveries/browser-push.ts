import { PushSubscriptionFacts } from '#contract/push.ts';

const workerPath = '/sw.js';

export function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

/** The address by which this browser gets push notifications. Null while it gets none. */
export async function ownPushAddress(): Promise<string | null> {
  return (await ownSubscription())?.endpoint ?? null;
}

/**
 * Asks the person and the browser's push service. Throws in words if one of them refuses. Ends any earlier subscription
 * of this browser, perhaps somebody else's or one with an older key of the server.
 */
export async function startPush(publicKey: string): Promise<PushSubscriptionFacts> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') {
    throw new Error('This browser does not allow notifications from Switchyard. Allow them in its settings first.');
  }
  await navigator.serviceWorker.register(workerPath);
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  return PushSubscriptionFacts.parse(subscription.toJSON());
}

/** A sign-out calls this too. The push service then refuses further messages, and the server forgets the address. */
export async function endPush(): Promise<void> {
  if (!canPush()) return;
  await (await ownSubscription())?.unsubscribe();
}

async function ownSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(workerPath);
  return (await registration?.pushManager.getSubscription()) ?? null;
}
