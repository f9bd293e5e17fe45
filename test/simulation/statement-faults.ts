import type pg from 'pg';
import { isQuery, prototype, textOf } from './planted.ts';

/** Breaks off the work of this process at a statement. */
export function spoilStatements() {
  let untilDeath = Number.POSITIVE_INFINITY;
  let isCommitToFail = false;
  const send = prototype.query;
  prototype.query = function spoiled(query, ...rest) {
    untilDeath -= 1;
    if (untilDeath <= 0) process.kill(process.pid, 'SIGKILL');
    if (isCommitToFail && isQuery(query) && textOf(query) === 'commit') {
      isCommitToFail = false;
      streamOf(this).destroy();
    }
    return send.call(this, query, ...rest);
  };
  return {
    killAfter: (statements: number) => {
      untilDeath = statements;
    },
    failNextCommit: () => {
      isCommitToFail = true;
    },
    /** What has not come to pass by the end of a request befalls no other one. */
    spareOthers: () => {
      untilDeath = Number.POSITIVE_INFINITY;
      isCommitToFail = false;
    },
  };
}

/** The driver names it no more than this. */
function streamOf(client: pg.Client): { destroy(): void } {
  return (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream;
}
