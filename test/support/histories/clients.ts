import fc from 'fast-check';
import { type Client, client as clientOf } from '../app.ts';
import type { Act } from './linearizability.ts';
import type { TwoProcesses } from './two-processes.ts';

/** What the clients of one history do, and when a process is killed. All of it follows from the seed. */
export interface Schedule<Plan> {
  /** The plans of each client, in order. Each says which of the two processes is asked. */
  clients: { process: number; plan: Plan }[][];
  /** A process is killed when so many acts were called. */
  kills: { after: number; process: number }[];
}

/** What one client asks at once. A read that is several statements is several acts. */
export interface Asked<Call> {
  calls: Call[];
  /** Who asks. */
  cookie: string;
  /** The answers to the calls. */
  answer(client: Client): Promise<string[]>;
  /** If the answer is cut, the other process is asked once more. */
  isRepeated?: boolean;
}

export interface HistorySize {
  seed: number;
  acts: number;
  kills: number;
}

export const clientCount = 8;

export function scheduleOf<Plan>(plans: fc.Arbitrary<Plan>, { seed, acts, kills }: HistorySize): Schedule<Plan> {
  const times = (count: number) => ({ minLength: count, maxLength: count });
  const step = fc.record({ process: fc.nat(1), plan: plans });
  const kill = fc.record({ process: fc.nat(1), share: fc.integer({ min: 10, max: 90 }) });
  const schedule = fc.record({
    clients: fc.array(fc.array(step, times(Math.ceil(acts / clientCount))), times(clientCount)),
    kills: fc.array(kill, times(kills)),
  });
  const [drawn] = fc.sample(fc.noBias(schedule), { seed, numRuns: 1 });
  if (!drawn) throw new Error('No schedule was drawn.');
  const whenInPart = (part: number, share: number) => Math.floor(((part + share / 100) * acts) / kills);
  return {
    ...drawn,
    kills: drawn.kills.map(({ process, share }, part) => ({ process, after: whenInPart(part, share) })),
  };
}

/** All clients at once do what the schedule says, and one looks at everything afterward. Returns what each was told. */
export async function runHistory<Plan, Call>(
  processes: TwoProcesses,
  schedule: Schedule<Plan>,
  { ask, lastly }: { ask(plan: Plan, client: number, place: number): Asked<Call>; lastly: Asked<Call>[] },
): Promise<Act<Call>[]> {
  const acts: Act<Call>[] = [];
  const kills = [...schedule.kills];
  let called = 0;

  async function act(name: string, asked: Asked<Call>, process: number): Promise<void> {
    called += asked.calls.length;
    const { url, place } = processes.up(process);
    const calledAt = performance.now();
    const answers = await asked.answer(clientOf(url, asked.cookie)).catch(nullIfCut);
    const returnedAt = answers ? performance.now() : Number.POSITIVE_INFINITY;
    const client = `${name} by process ${place + 1}`;
    const own = asked.calls.map((call, index) => ({ call, answer: answers?.[index] ?? null }));
    acts.push(...own.map((one) => ({ client, ...one, calledAt, returnedAt })));
    if (!answers && asked.isRepeated) await act(name, { ...asked, isRepeated: false }, 1 - place);
  }

  /** Both must be up a few acts before one is killed, so that the kill meets acts under way. */
  async function killIfDue(): Promise<void> {
    const [kill] = kills;
    if (!kill || called < kill.after - clientCount) return;
    await processes.whole();
    if (kills[0] !== kill || called < kill.after) return;
    kills.shift();
    processes.kill(kill.process);
  }

  const run = async (steps: Schedule<Plan>['clients'][number], client: number) => {
    for (const [place, { process, plan }] of steps.entries()) {
      await killIfDue();
      await act(`client ${client + 1}`, ask(plan, client, place), process);
    }
  };
  await Promise.all(schedule.clients.map(run));
  for (const asked of lastly) await act('a look at the end', asked, 0);
  return acts;
}

/** Asks for one thing. */
export function one<Call>(call: Call, cookie: string, answer: (client: Client) => Promise<string>): Asked<Call> {
  return { calls: [call], cookie, answer: async (client) => [await answer(client)] };
}

/** How an answer is noted: as `ok` or what it says, or as the code of the refusal. */
export async function answerTo<Reply>(
  asking: Promise<{ reply: Reply } | { problem: { code: string } }>,
  said: (reply: Reply) => string = () => 'ok',
): Promise<string> {
  const answer = await asking;
  return 'problem' in answer ? answer.problem.code : said(answer.reply);
}

export function at<Item>(items: Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error(`There is no item ${index}.`);
  return item;
}

/** An answer is cut if the connection ends before it, or in the middle of it. */
function nullIfCut(error: unknown): null {
  if (error instanceof TypeError && ['fetch failed', 'terminated'].includes(error.message)) return null;
  throw error;
}
