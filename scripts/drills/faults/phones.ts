import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { startPushService, type TestPushService } from '#test/support/push-service.ts';
import { startSmsProvider } from '#test/support/sms-provider.ts';
import type { Drill } from '../ground.ts';
import { waitFor } from '../ground.ts';
import { startSeveral } from '../installation.ts';
import { type Breaks, underAllLoad } from '../under-load.ts';
import type { Judged } from '../verdict-of-things.ts';
import { failInEachWay } from './neighbors.ts';

const settleInSeconds = 360;

/** Everybody's program stands where it is day now, because no phone makes a sound at night. */
async function makeItDay(db: Db): Promise<void> {
  const zones = ['America/New_York', 'Europe/Berlin', 'Asia/Tokyo', 'Pacific/Auckland'];
  const hourIn = (timeZone: string) =>
    Number(new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format());
  const zone = zones.find((each) => hourIn(each) >= 9 && hourIn(each) < 19);
  if (!zone) throw new Error('It is night in every zone.');
  await db.updateTable('programmes').set({ zone }).execute();
}

export const push: Drill = async (ground) => {
  const service = await startPushService();
  ground.undo.push(service.close);
  const { installation } = await startSeveral(ground, { workers: 1, env: { PUSH_ALLOW_PRIVATE: '1' } });
  const breakThings: Breaks['breakThings'] = async ({ db }) => {
    await giveBrowsers(db, service);
    await failInEachWay(ground, Object.keys(pushWays) as (keyof typeof pushWays)[], (way) => {
      service.answer = way === null ? { status: 201 } : pushWays[way];
    });
  };
  const arrived = () => service.received.map(({ headers: { topic = '' } }) => String(topic));
  const injected = `the push service ${Object.keys(pushWays).join('; ')}`;
  return underAllLoad(ground, installation, {
    injected,
    prepare: makeItDay,
    breakThings,
    judge: (db) => judgePhones(db, 'push', arrived),
  });
};

const pushWays = {
  'answers 503': { status: 503 },
  'hangs up when it has the message': 'drops',
  'never answers': 'stalls',
} as const;

const smsWays = {
  'answers 503': { status: 503 },
  'hangs up when it has the message': 'drops',
  'never answers': 'stalls',
} as const;

export const sms: Drill = async (ground) => {
  const provider = await startSmsProvider();
  ground.undo.push(provider.close);
  const env = { SMS_PROVIDER: 'http', SMS_URL: provider.url, SMS_TOKEN: 'a-token', SMS_ALLOW_PRIVATE: '1' };
  const { installation } = await startSeveral(ground, { workers: 1, env });
  const breakThings: Breaks['breakThings'] = async ({ db }) => {
    await givePhones(db);
    await failInEachWay(ground, Object.keys(smsWays) as (keyof typeof smsWays)[], (way) => {
      provider.answer = way === null ? { status: 201 } : smsWays[way];
    });
  };
  const arrived = () => provider.sent.map(({ headers }) => String(headers['idempotency-key']));
  const injected = `the phone provider ${Object.keys(smsWays).join('; ')}`;
  return underAllLoad(ground, installation, {
    injected,
    prepare: makeItDay,
    breakThings,
    judge: (db) => judgePhones(db, 'sms', arrived),
  });
};

/** Everybody whose stipend is decided is told of it. */
async function giveBrowsers(db: Db, service: TestPushService): Promise<void> {
  const people = await db.selectFrom('stipendEligibility').select('fellowId as userId').execute();
  const subscriptions = people.map(({ userId }) => {
    const { endpoint, keys } = service.newBrowser();
    return { userId, endpoint, p256dh: keys.p256dh, authSecret: keys.auth };
  });
  await db.insertInto('pushSubscriptions').values(subscriptions).execute();
}

async function givePhones(db: Db): Promise<void> {
  await sql`
    with people as (
      update profiles set phone = '+1212555' || lpad((random() * 9999)::int::text, 4, '0'), phone_confirmed_at = now()
      where id in (select fellow_id from stipend_eligibility) returning id)
    insert into notification_preferences (user_id, sms_enabled) select id, true from people`.execute(db);
}

/** Waits until nothing of the channel waits. What was sent has arrived, and nobody's phone shows it twice. */
async function judgePhones(db: Db, channel: 'push' | 'sms', findArrived: () => string[]): Promise<Judged> {
  const deliveries = () =>
    db.selectFrom('deliveries').select(['id', 'status', 'eventId']).where('channel', '=', channel).execute();
  const isSettled = async () => (await deliveries()).every(({ status }) => status !== 'queued' && status !== 'failed');
  await waitFor(`every ${channel} message sent`, isSettled, settleInSeconds);
  const all = await deliveries();
  const sent = all.filter(({ status }) => status === 'sent');
  // A browser folds copies of one notice by its topic, and a provider by the key.
  const keyOf = ({ id, eventId }: (typeof all)[number]) =>
    channel === 'sms' ? id : (eventId ?? '').replaceAll('-', '');
  const arrived = new Set(findArrived());
  const lost = sent.filter((delivery) => !arrived.has(keyOf(delivery))).length;
  const givenUp = all.filter(({ status }) => status === 'given_up').length;
  return {
    figures: [
      [`${channel} messages sent`, sent.length],
      [`${channel} messages given up`, givenUp],
      [`${channel} messages that arrived`, findArrived().length],
    ],
    lost,
    faults: [
      ...(lost > 0 ? [`${lost} ${channel} messages count as sent and did not arrive.`] : []),
      ...(givenUp > 0 ? [`${givenUp} ${channel} messages were given up within minutes.`] : []),
      ...(sent.length === 0 ? [`No ${channel} message was sent.`] : []),
    ],
  };
}
