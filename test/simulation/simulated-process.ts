// One process of the product under simulation: its clock is set from outside, and its answers and statements can be cut
// off. test/simulation/processes.ts starts it and tells it what to do.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { z } from 'zod';
import { readConfig } from '#server/config.ts';
import { jobList } from '#server/job-list.ts';
import { replaceClock } from '#server/platform/clock.ts';
import { defineQueue, enqueue } from '#server/platform/jobs.ts';
import { type RunningProcess, startProcess } from '#server/process.ts';
import { faultHeaders } from './fault-headers.ts';
import { plantInStatements } from './planted.ts';
import { spoilStatements } from './statement-faults.ts';

export type Order = { id: number } & ({ clock: string } | { runScheduledJobs: true });
export type Report = { url: string } | { done: number } | { failed: number; reason: string };

const { SIMULATED_AT = '', PLANTED = '', ...settings } = process.env;
let moment = new Date(SIMULATED_AT);
replaceClock(() => moment);
plantInStatements(PLANTED);
const statements = spoilStatements();

const config = readConfig(settings as Record<string, string>);
const running = await startProcess(config, { web: true, jobs: true });
running.app.http.server.prependListener('request', spoil);
process.on('message', (order: Order) => {
  obey(running, order).then(
    () => report({ done: order.id }),
    (error: unknown) => report({ failed: order.id, reason: inspect(error) }),
  );
});
process.once('disconnect', () => process.exit());
report({ url: running.url ?? '' });

async function obey({ app }: RunningProcess, order: Order): Promise<void> {
  if ('clock' in order) {
    moment = new Date(order.clock);
    return;
  }
  for (const { name, cron } of jobList) if (cron) await enqueue(app.db, defineQueue(name, z.object({})), {});
}

function spoil({ headers }: IncomingMessage, response: ServerResponse): void {
  if (headers[faultHeaders.cut]) cutInPlaceOfAnswer(response);
  const hasFault = headers[faultHeaders.commitFails] ?? headers[faultHeaders.killedAfter];
  if (hasFault) response.once('close', statements.spareOthers);
  if (headers[faultHeaders.commitFails]) statements.failNextCommit();
  const left = Number(headers[faultHeaders.killedAfter] ?? 0);
  if (left > 0) statements.killAfter(left);
}

/** When the server begins to answer, what it did is committed. */
function cutInPlaceOfAnswer(response: ServerResponse): void {
  response.writeHead = () => {
    response.socket?.destroy();
    return response;
  };
}

function report(message: Report): void {
  process.send?.(message);
}
