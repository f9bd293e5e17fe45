import type pg from 'pg';
import type { Endpoint, InputOf, ResponseOf } from '#contract/endpoint.ts';
import type { Db } from '#server/db/database.ts';
import { ask } from '#test/support/app.ts';
import type { TestMailServer } from '#test/support/mail-server.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { faultHeaders } from './fault-headers.ts';
import type { Kept } from './kept.ts';
import type { Payer } from './payer.ts';
import type { Step, TurnFault } from './plan.ts';
import type { SimulatedProcess } from './processes.ts';
import { itemAt } from './random.ts';
import type { Actor, Cohort, Member, World } from './world.ts';

/** Everything that the acts of a simulation act upon. */
export interface Scene {
  db: Db;
  pool: pg.Pool;
  world: World;
  processes: [SimulatedProcess, SimulatedProcess];
  payer: Payer;
  mails: TestMailServer;
  kept: Kept;
  /** The day and the instant of the simulated clock. */
  today: string;
  at: Date;
  /** What goes wrong in the present turn beside its steps. */
  turnFault: TurnFault;
  /** Whether a request of the present turn takes a process or a connection with it, and so may fail its neighbors. */
  mayFailOthers: boolean;
  figures: { acts: number; refused: number; cut: number; faults: Record<string, number> };
  /** What must never be, with its day. */
  violations: string[];
}

export type Answer<Body> = { is: 'taken'; body: Body } | { is: 'refused'; code: string } | { is: 'lost' };

/** One person's request in a step. The fault of the step befalls it. */
export type Asker = <E extends Endpoint>(
  actor: Actor,
  endpoint: E,
  input?: InputOf<E>,
) => Promise<Answer<ResponseOf<E>>>;

export function member(scene: Scene, step: Step): Member {
  return itemAt(scene.world.members, step.who) as Member;
}

export function coach(scene: Scene, step: Step): Actor {
  return itemAt(scene.world.coaches, step.who) as Actor;
}

export function admin(scene: Scene, step: Step): Actor {
  return itemAt(scene.world.admins, step.who) as Actor;
}

export function cohort(scene: Scene, step: Step): Cohort {
  return itemAt(scene.world.cohorts, step.who) as Cohort;
}

/** Reads are asked without the step's fault, as a screen would have them already. */
export function reader(scene: Scene, step: Step): Asker {
  return (actor, endpoint, input) => askOnce(scene, scene.processes[step.process], {}, actor, endpoint, input);
}

/** Writes suffer the step's fault. A person whose answer was cut off tries again, at the other process. */
export function writer(scene: Scene, step: Step): Asker {
  return async (actor, endpoint, input) => {
    const [here, there] = step.process === 0 ? scene.processes : scene.processes.toReversed();
    const headers = headersOf(step);
    const first = await askOnce(scene, here as SimulatedProcess, headers, actor, endpoint, input);
    if (first.is !== 'lost' || step.fault === 'cutForGood') return first;
    return askOnce(scene, there as SimulatedProcess, {}, actor, endpoint, input);
  };
}

const mostStatements = 14;

function headersOf({ fault, how }: Step): Record<string, string> {
  if (fault === 'cut' || fault === 'cutForGood') return { [faultHeaders.cut]: '1' };
  if (fault === 'killed') return { [faultHeaders.killedAfter]: String(1 + Math.floor(how * mostStatements)) };
  if (fault === 'commitFails') return { [faultHeaders.commitFails]: '1' };
  return {};
}

async function askOnce<E extends Endpoint>(
  scene: Scene,
  { url }: SimulatedProcess,
  headers: Record<string, string>,
  actor: Actor,
  endpoint: E,
  input?: InputOf<E>,
): Promise<Answer<ResponseOf<E>>> {
  let answer: Response;
  let text: string;
  try {
    answer = await ask(url, { ...headers, cookie: actor.cookie }, endpoint, input);
    text = await answer.text();
  } catch {
    scene.figures.cut += 1;
    return { is: 'lost' };
  }
  if (answer.ok) return { is: 'taken', body: endpoint.response.parse(JSON.parse(text)) as ResponseOf<E> };
  scene.figures.refused += 1;
  const { code, detail } = await problemOf(new Response(text));
  if (answer.status >= 500) {
    if (!mayFail(scene, answer.status))
      scene.violations.push(`${scene.today}: ${endpoint.name} answered ${answer.status} ${code}: ${detail}`);
    return { is: 'lost' };
  }
  return { is: 'refused', code };
}

/** 503 and 507 say that something is away or full. Nothing may ever answer 500. */
function mayFail({ turnFault, mayFailOthers }: Scene, status: number): boolean {
  if (status === 500) return false;
  return mayFailOthers || turnFault !== 'none';
}
