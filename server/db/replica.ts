import pg from 'pg';
import { type Db, type OpenDatabase, openDatabase } from '#server/db/database.ts';
import { hasReplayed, NoReplica, parsePosition } from '#server/db/log-position.ts';
import { replicaAnswerLimitInMs as answerLimitInMs, tryReplica, type Unfit } from '#server/db/replica-trial.ts';
import { AppError } from '#server/platform/errors.ts';
import { readsByServer, replicaStates, replicaWaitSeconds } from '#server/platform/metrics.ts';

interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

/** A read that may go to a replica. It runs anew on the primary if the replica cannot answer it. */
interface Read<Answer> {
  /** What the read must see: the primary's position once the request was there. Null if it is not known. */
  position: string | null;
  run: (db: Db) => Promise<Answer>;
}

export interface Replica {
  read<Answer>(read: Read<Answer>): Promise<Answer>;
  /** Tries the replica now and then from here on. Never throws. */
  start(log: Log): void;
  stop(): Promise<void>;
}

interface Options {
  namesStatements: boolean;
  /** A read waits for the replica for so long. */
  waitLimitInMs?: number;
  tryEveryMs?: number;
}

/** Why a read went to the primary. `cut-off` ends one read alone: the replica may cancel it to go on replaying. */
type Detour = Unfit | 'untried' | 'cut-off';

const connections = 20;
/** A replica that follows well is some milliseconds behind. A person does not notice this. */
export const longestWaitForReplicaInMs = 200;

/**
 * Opens a replica of the primary for reads. A read sees there whatever was committed before its request arrived, or it
 * goes to the primary. While the replica is away or too far behind, every read goes to the primary.
 */
export function openReplica(
  address: string,
  primary: Pick<OpenDatabase, 'db'>,
  { namesStatements, waitLimitInMs = longestWaitForReplicaInMs, tryEveryMs = 2_000 }: Options,
): Replica {
  const { db, pool, close } = openDatabase(address, { max: connections, answerLimitInMs, namesStatements });
  let log: Log | null = null;
  /** The timeline on which the replica was tried and found fit. */
  let timeline: string | null = null;
  let state: 'used' | Detour = 'untried';
  let next: NodeJS.Timeout | undefined;
  let trying: Promise<void> = Promise.resolve();
  let isStopped = false;

  function become(now: typeof state, facts: object = {}): void {
    if (now === state) return;
    const isFirst = state === 'untried';
    state = now;
    for (const each of ['used', 'away', 'behind', 'other', 'no-replica'] as const)
      replicaStates.set({ state: each }, Number(each === state));
    if (state === 'used') log?.info({}, isFirst ? 'reads go to the replica' : 'reads go to the replica again');
    else log?.warn({ ...facts, why: state }, 'reads go to the primary, because the replica cannot answer them');
  }

  async function trial(): Promise<void> {
    const found = await tryReplica(primary.db, db, waitLimitInMs).catch((error: unknown) => {
      // Without the primary, nothing can be said of the replica.
      log?.info({ err: error }, 'the replica could not be tried');
      return null;
    });
    if (found && 'unfit' in found) become(found.unfit, { err: found.cause });
    else if (found) {
      timeline = found.timeline;
      become('used');
    }
    if (!isStopped) next = setTimeout(begin, tryEveryMs).unref();
  }

  function begin(): void {
    trying = trial();
  }

  /** Answers, or says why the primary has to. Throws what the read itself refuses. */
  async function tryToRead<Answer>({ position, run }: Read<Answer>): Promise<{ read: Answer } | { why: Detour }> {
    if (state !== 'used') return { why: state };
    const wanted = position === null ? null : parsePosition(position);
    if (wanted === null || wanted.timeline !== timeline) return { why: 'untried' };
    try {
      return await db.connection().execute(async (connection) => {
        const stopWatch = replicaWaitSeconds.startTimer();
        const isThere = await hasReplayed(connection, wanted.place, waitLimitInMs);
        stopWatch();
        if (isThere) return { read: await run(connection) };
        become('behind');
        return { why: 'behind' };
      });
    } catch (error) {
      const why = detourAfter(error);
      if (why === null) throw error;
      if (why === 'cut-off') log?.warn({ err: error }, 'the replica cut a read off, which goes to the primary');
      else become(why, { err: error });
      return { why };
    }
  }

  return {
    read: async (read) => {
      const answer = await tryToRead(read);
      if ('read' in answer) {
        readsByServer.inc({ server: 'replica', why: '' });
        return answer.read;
      }
      readsByServer.inc({ server: 'primary', why: answer.why });
      return read.run(primary.db);
    },
    start: (given) => {
      log = given;
      pool.on('error', (error) => log?.warn({ err: error }, 'an idle connection to the replica was lost'));
      begin();
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(next);
      await trying;
      clearTimeout(next);
      await close();
    },
  };
}

/** Null for an answer that the read itself gives, as that there is no such record. */
function detourAfter(error: unknown): Detour | null {
  if (error instanceof NoReplica) return 'no-replica';
  if (error instanceof pg.DatabaseError) return 'cut-off';
  return error instanceof AppError && error.code === 'unavailable' ? 'away' : null;
}
