import type pg from 'pg';

/** A connection that one or several hold. It is back in the pool when all have given it back. */
export interface Held {
  client: pg.PoolClient;
  giveBack(): void;
  /** Ends it at once, and fails every statement that waits on it. */
  end(): void;
}

/** More statements than a screen reads at once. A slow one delays no more than these. */
const mostSharers = 8;

export type ConnectionsOf = ReturnType<typeof connectionsOf>;

/**
 * Hands out the connections of a pool that pipelines. What asks for one in the same turn of the event loop shares it, so
 * what a page reads at once needs one connection, one write and one process of PostgreSQL.
 */
export function connectionsOf(pool: pg.Pool, isWornOut: (client: pg.PoolClient) => boolean) {
  let ofThisTurn: { connection: ReturnType<typeof open>; sharers: number } | null = null;

  async function open() {
    const client = await pool.connect();
    let holders = 0;
    let isReleased = false;
    const release = (isBroken: boolean) => {
      if (!isReleased) client.release(isBroken);
      isReleased = true;
    };
    const end = () => {
      // The pool would wait for the answers to all that was sent.
      if (!isReleased) client.connection.stream.destroy();
      release(true);
    };
    const join = (): Held => {
      let isHolding = true;
      holders += 1;
      const giveBack = () => {
        if (!isHolding) return;
        isHolding = false;
        holders -= 1;
        if (holders === 0) release(isWornOut(client));
      };
      return { client, giveBack, end };
    };
    // Until all that waited for it have joined.
    atEndOfTurn(join().giveBack);
    return join;
  }

  return {
    shared: async (): Promise<Held> => {
      if (!ofThisTurn || ofThisTurn.sharers === mostSharers) {
        ofThisTurn = { connection: open(), sharers: 0 };
        atEndOfTurn(() => {
          ofThisTurn = null;
        });
      }
      ofThisTurn.sharers += 1;
      return (await ofThisTurn.connection)();
    },
    alone: async (): Promise<Held> => (await open())(),
  };
}

/** What is sent in this turn leaves in one write. */
export function sendTogether({ connection }: pg.PoolClient): void {
  connection.stream.cork();
  atEndOfTurn(() => connection.stream.uncork());
}

/** When all that can run has run, and only news from outside goes on. */
function atEndOfTurn(run: () => void): void {
  queueMicrotask(() => process.nextTick(run));
}
