// The memory of one process, as `npm start` starts it: npm run bench -- memory [--people 1000] [--seconds 15]
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../e2e/instance.ts';
import type { TestApp } from '../test/support/app.ts';
import { testSecret } from '../test/support/test-secret.ts';
import { readOptions, wholeNumber } from './asked.ts';
import { openBenchApp } from './bench-app.ts';
import { endProcess } from './end-process.ts';
import { alignColumns } from './figures.ts';
import { keepRunning } from './load.ts';
import { processTimeInMs } from './processor-time.ts';
import { fileMegabytes, residentMegabytes, watchMemory } from './resident-memory.ts';
import { describeRun } from './run-of.ts';
import { untilReady } from './start.ts';
import { findReads, requestOf } from './table-calls.ts';
import { buildTableWorld } from './table-world.ts';

const root = path.join(import.meta.dirname, '..');
const clients = 32;
const restInSeconds = 10;
/** The lists and pages with the largest answers or the most work. */
const asked = [
  'listStipends',
  'listUsers',
  'listSubmissions, admin',
  'readAdminDashboard',
  'readCoachDashboard',
  'readParticipantDashboard',
  'readTrainingCalendar',
  'listCohortMembers',
];

export async function measureMemory(args: string[]): Promise<string | null> {
  const { people, seconds } = readOptions(args, {
    people: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '15' },
  });
  const [size, loaded] = [wholeNumber(people, 100), wholeNumber(seconds)];
  if (size === null) return 'People are a whole number from 100.';
  if (loaded === null) return 'Seconds are a whole number above zero.';
  console.log(describeRun());
  const app = await openBenchApp();
  try {
    const next = await requestsOf(app, size);
    const { url, server } = await startAsUsual(app);
    try {
      await reportLoad(url, server.pid ?? 0, loaded, next);
    } finally {
      await endProcess(server);
    }
  } finally {
    await app.close();
  }
  return null;
}

async function reportLoad(url: string, pid: number, seconds: number, next: Parameters<typeof keepRunning>[2]) {
  const before = residentMegabytes(pid);
  const [mostOf, time] = [watchMemory(pid), processTimeInMs(pid)];
  const load = await keepRunning(url, { atOnce: clients, seconds }, next).finally(mostOf);
  const [most, answers] = [mostOf(), load.latenciesInMs.length];
  const perAnswer = (processTimeInMs(pid) - time) / answers;
  await pause(restInSeconds * 1000);
  const rows = [
    ['memory of the process', 'MB'],
    ['when it is ready', before.toFixed(0)],
    [`at most while ${clients} clients get ${answers} answers in ${seconds} s`, most.toFixed(0)],
    [`${restInSeconds} s later`, residentMegabytes(pid).toFixed(0)],
    ['of it files, such as Node itself', fileMegabytes(pid).toFixed(0)],
  ];
  for (const line of alignColumns(rows)) console.log(line);
  console.log(`Each answer took ${perAnswer.toFixed(2)} ms of the process.`);
}

/** Each line asks for one thing after another. */
async function requestsOf(app: TestApp, size: number) {
  const world = await buildTableWorld(app.db, size, { isHeavy: true });
  const people = { participant: world.participant, coach: world.coach, admin: world.admin };
  const { calls } = await findReads(world);
  const chosen = await Promise.all(
    asked.map(async (name) => {
      const call = calls.find((one) => one.name === name);
      if (!call?.role) throw new Error(`${name} is not measured.`);
      return { call, cookie: (await app.as(people[call.role])).cookie };
    }),
  );
  return (line: number, turn: number) => {
    const one = chosen[(line + turn) % chosen.length];
    if (!one) throw new Error('There is nothing to ask for.');
    return requestOf(one.call, 0, turn, one.cookie);
  };
}

/** With the limits that the package gives it. `exec` there makes the shell's process the server's. */
async function startAsUsual(app: TestApp) {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const port = await freePort();
  const server = spawn('sh', ['-c', scripts.start], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATABASE_URL: app.connectionString,
      DATA_DIR: app.app.config.dataDir,
      AUTH_SECRET: testSecret,
      DEMO: '0',
      RATE_LIMIT_FACTOR: '100000',
      REQUIRE_ADMIN_SECOND_FACTOR: '0',
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url, server);
  return { url, server };
}
