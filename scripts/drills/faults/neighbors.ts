import { setTimeout as pause } from 'node:timers/promises';
import type { TestMailServer } from '#test/support/mail-server.ts';
import type { PaymentAnswer } from '#test/support/payment-system.ts';
import { type S3Failure, startS3 } from '#test/support/s3.ts';
import type { Drill, Ground } from '../ground.ts';
import { startSeveral } from '../installation.ts';
import { lie } from '../payer.ts';
import { type Breaks, underAllLoad } from '../under-load.ts';

const wellMs = 4_000;
const eachMs = 8_000;

/** Goes through the ways to fail, each for a while. */
export async function failInEachWay<Way extends string>(ground: Ground, ways: Way[], fail: (way: Way | null) => void) {
  await pause(wellMs);
  for (const way of ways) {
    ground.say(`It ${way} …`);
    fail(way);
    await pause(eachMs);
  }
  ground.say('It works again …');
  fail(null);
  await pause(wellMs);
}

/** What is taken while the storage fails may be refused, and requests may take as long as it does. */
const longestOfStorage = 60;

const storageWays = {
  fails: 'refuse',
  'is slow': 'be slow',
  'hangs up': 'hang up',
  'does it, then hangs up': 'lose',
  stalls: 'hang',
} satisfies Record<string, S3Failure>;

export const storage: Drill = async (ground) => {
  const s3 = await startS3();
  ground.undo.push(s3.close);
  const { installation } = await startSeveral(ground, { workers: 1, env: s3.env });
  const ways = Object.keys(storageWays) as (keyof typeof storageWays)[];
  const breakThings: Breaks['breakThings'] = async ({ breaking }) => {
    breaking({ lastsSeconds: (wellMs + ways.length * eachMs) / 1000 + longestOfStorage });
    await failInEachWay(ground, ways, (way) => {
      s3.failWhen(way === null ? null : () => storageWays[way]);
    });
  };
  const injected = `the storage ${ways.join(', ')}: ${eachMs / 1000} s each`;
  return underAllLoad(ground, installation, { injected, breakThings });
};

export const mail: Drill = async (ground) => {
  const { installation } = await startSeveral(ground, { workers: 1 });
  const { mails } = installation;
  const ways = [
    'refuses',
    'stalls',
    'hangs up',
    'takes no content',
    'drops',
    'keeps, then drops',
    'says yes, then drops',
    'waits',
  ] satisfies NonNullable<TestMailServer['fault']>[];
  const breakThings = async () => {
    await failInEachWay<(typeof ways)[number]>(ground, ways, (way) => {
      mails.fault = way;
      if (way === null) mails.release();
    });
  };
  const injected = `the mail server ${ways.join('; ')}: ${eachMs / 1000} s each`;
  return underAllLoad(ground, installation, { injected, breakThings, losesAnswers: true });
};

/** Longer than a hand-over waits. */
const tooLateMs = 12_000;

const paymentWays = {
  'answers 500': { status: 500 },
  'answers too late': { status: 200, afterMs: tooLateMs },
  'never answers': 'none',
  'hangs up when it has the batch': 'cut',
  'says no when it has the batch': lie,
  'confirms before it answers, and three times': { status: 200, afterMs: 2_000 },
} satisfies Record<string, PaymentAnswer>;
type PaymentWay = keyof typeof paymentWays;

export const payments: Drill = async (ground) => {
  const { installation } = await startSeveral(ground, { workers: 1 });
  const { payer } = installation;
  const ways = Object.keys(paymentWays) as PaymentWay[];
  const breakThings = async () => {
    await failInEachWay(ground, ways, (way) => {
      payer.system.usual = way === null ? { status: 200 } : paymentWays[way];
      payer.tells = way === 'confirms before it answers, and three times' ? 3 : 1;
    });
  };
  const injected = `the payment system ${ways.join('; ')}: ${eachMs / 1000} s each`;
  return underAllLoad(ground, installation, { injected, breakThings });
};
