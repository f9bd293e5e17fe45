import { PushSubscriptionFacts } from '#contract/push.ts';

const workerPath = '/sw.js';

export function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

/** The address by which this browser gets push notifications, null while it gets none. */
export async function ownPushAddress(): Promise<string | null> {
  return (await ownSubscription())?.endpoint ?? null;
}

/**
 * Asks the person and the browser's push service; throws in words when one of them refuses. What was subscribed here
 * before, perhaps by somebody else or with an older key of the server, ends.
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

/** Also when somebody signs out: the push service then refuses what is still sent, and the server forgets the address. */
export async function endPush(): Promise<void> {
  if (!canPush()) return;
  await (await ownSubscription())?.unsubscribe();
}

async function ownSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(workerPath);
  return (await registration?.pushManager.getSubscription()) ?? null;
}
