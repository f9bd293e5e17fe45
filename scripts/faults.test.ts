import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'switchyard-faults-'));
  await chmod(folder, 0o711);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function start(...args: string[]) {
  const child = spawn(process.execPath, ['scripts/faults.ts', ...args], { env: { ...process.env, TMPDIR: folder } });
  const ended = once(child, 'exit').then(async ([code]) => ({ code, left: await readdir(folder) }));
  return { child, ended };
}

async function faults(...args: string[]) {
  const { child, ended } = start(...args);
  const [stdout, stderr, ending] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { stdout, stderr, ...ending };
}

test('npm run faults -- list names each fault with what it does', async () => {
  const { code, stdout, stderr } = await faults('list');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines) expect(line).toMatch(/^ {2}[a-z-]+ {2,}\w/);
});

test.each([
  [['kill-sever'], 'There is no fault called kill-sever.'],
  [['kill-server', 'constructor'], 'There is no fault called constructor.'],
  [['list', 'kill-server'], 'list stands alone.'],
  [['kill-server', '--seed', 'soon'], 'A seed is a whole number of at most nine digits.'],
  [['kill-server', '--fast'], 'Usage: npm run faults'],
])('refuses %j with a sentence, and makes nothing', async (args, sentence) => {
  const { stderr, ...rest } = await faults(...args);
  expect({ stderr, ...rest }).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(sentence),
    left: [],
  });
  expect(stderr).not.toMatch(/\n\s+at /);
});

test('a run that is interrupted leaves neither a folder nor a process', async () => {
  const { child, ended } = start('kill-server');
  let said = '';
  for await (const words of child.stdout) {
    said += String(words);
    if (said.includes('Making people')) break;
  }
  const pids = await findProcessesIn(folder);
  child.kill('SIGINT');
  expect(await ended).toEqual({ code: 2, left: [] });
  expect(pids.length).toBeGreaterThan(1);
  await expect.poll(() => findProcessesIn(folder)).toEqual([]);
});

/** Processes that name the folder in how they were started. */
async function findProcessesIn(place: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const named = await Promise.all(pids.map((pid) => Promise.all([readOf(pid, 'cmdline'), readOf(pid, 'environ')])));
  return pids.filter((_, index) => named[index]?.join(' ').includes(place));
}

/** A process may end before it is read. */
function readOf(pid: string, file: string): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
}
