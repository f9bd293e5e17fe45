import { Agent } from 'node:http';
import { readSession } from '#contract/accounts.ts';
import { readConversation } from '#contract/messages.ts';
import { assignCoach } from '../test/factories/cohorts.ts';
import { buildMessages } from '../test/factories/messages.ts';
import { buildCoach, buildParticipant } from '../test/factories/people.ts';
import { killServerProcesses, startServerProcess } from '../test/support/server-process.ts';
import { testSecret } from '../test/support/test-secret.ts';
import { openBenchApp } from './bench-app.ts';
import { send } from './load.ts';
import type { Scenario } from './scenario.ts';

const atOnce = 32;

/** Callers, database and processes share the cores. So the ratio also says how many cores there are. */
export const scenario: Scenario = {
  measured: `two web processes on one database, ${atOnce} requests at once in turns`,
  baseline: 'one web process',
  rounds: 40,
  atOnce,
  prepare: async () => {
    const app = await openBenchApp();
    const [coach, participant] = [await buildCoach(app.db), await buildParticipant(app.db)];
    await assignCoach(app.db, { participantId: participant.id, coachId: coach.id });
    await buildMessages(app.db, { coach, participant }, { count: 60 });
    const { cookie } = await app.as(participant);
    // The processes take the sessions of the app beside them.
    const env = { AUTH_SECRET: testSecret, DEMO: '0', RATE_LIMIT_FACTOR: '100000' };
    const urls: string[] = [];
    for (let count = 0; count < 2; count += 1) urls.push((await startServerProcess(app, env, ['--web-only']))[0]);
    const agents = urls.map(() => new Agent({ keepAlive: true, maxSockets: atOnce }));
    let turn = 0;
    const ask = async (path: string, processes: number) => {
      turn += 1;
      const place = turn % processes;
      await send(agents[place] as Agent, urls[place] ?? '', { method: 'GET', path, cookie });
    };
    const cases = { Session: readSession.path, 'A thread': readConversation.path.replace(':id', coach.id) };
    return {
      cases: Object.entries(cases).map(([name, path]) => ({
        name,
        runMeasured: () => ask(path, 2),
        runBaseline: () => ask(path, 1),
      })),
      close: async () => {
        for (const agent of agents) agent.destroy();
        killServerProcesses();
        await app.close();
      },
    };
  },
};
