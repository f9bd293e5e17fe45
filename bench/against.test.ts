import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { measureAgainst } from './against.ts';
import { processTimeInMs } from './processor-time.ts';

let root = '';
let first = '';
let printed: string[] = [];
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'switchyard-bench-test-'));
  printed = [];
  mkdirSync(path.join(root, 'bench'));
  mkdirSync(path.join(root, 'node_modules'));
  write('.gitignore', 'node_modules/\n');
  write('package-lock.json', '{}\n');
  write('work.ts', 'export const work = 30;\n');
  write('bench/work.bench.ts', scenarioOf('Sums', "import { work } from '../work.ts';"));
  write('bench/more.bench.ts', scenarioOf('Sums of more', 'const work = 30;'));
  git('init', '--quiet');
  first = commit();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('two commits are measured in turns, each with its own code, and nothing is left', async () => {
  write('work.ts', 'export const work = 120;\n');
  write('new.ts', 'export const work = 30;\n');
  write('bench/more.bench.ts', scenarioOf('Sums of more', "import { work } from '../new.ts';"));
  commit();
  expect(await measure(first, [])).toBeNull();
  const [, other, present, , , , , ratio = ''] =
    printed.find((line) => line.startsWith('Sums  '))?.split(/\s{2,}/) ?? [];
  expect(Number(present)).toBeGreaterThan(2 * Number(other));
  expect(Number.parseFloat(ratio)).toBeGreaterThan(1);
  expect(ratio).toMatch(/^\d+\.\d\d times \(\d+\.\d\d to \d+\.\d\d\)$/);
  // A scenario that does not run on the other commit gives way to that commit's own.
  expect(printed).toContainEqual(expect.stringContaining(`more.bench.ts: ${first} runs its own scenario`));
  expect(printed.filter((line) => line.startsWith('Sums of more'))).toHaveLength(1);
  expectNothingLeft();
});

test('what fails is said, and nothing is left', async () => {
  write(
    'bench/work.bench.ts',
    'export const scenario = { rounds: 4, prepare: () => Promise.reject(new Error("Empty.")) };\n',
  );
  commit();
  await expect(measure(first, ['work'])).rejects.toThrow('work.bench.ts does not run on');
  expectNothingLeft();
});

test('an interrupted run leaves nothing', async () => {
  for (const printedFirst of [1, 2]) {
    printed = [];
    const interruption = new AbortController();
    const measured = measure(first, [], interruption.signal, () => {
      if (printed.length === printedFirst) setImmediate(() => interruption.abort());
    });
    await expect(measured).rejects.toThrow();
    expectNothingLeft();
  }
});

test('wrong use is refused with a sentence and changes nothing', async () => {
  expect(await measure('nowhere', [])).toBe('There is no commit nowhere.');
  expect(await measure('--all', [])).toBe('There is no commit --all.');
  expect(await measure(first, ['work', 'rest'])).toBe('No scenario is called rest.');
  write('work.ts', 'export const work = 31;\n');
  expect(await measure(first, [])).toBe('Two commits are measured. Commit your changes first, or set them aside.');
  expect(printed).toEqual([]);
  expect(git('status', '--porcelain')).toBe('M work.ts');
  expectNothingLeft();
});

test('the processor time of a process is what it says itself', async () => {
  write(
    'busy.js',
    'for (let n = 0; n < 3e8; n += 1); process.send(process.cpuUsage()); process.on("message", () => {});\n',
  );
  const busy = fork(path.join(root, 'busy.js'));
  const [{ user, system }] = (await once(busy, 'message')) as [NodeJS.CpuUsage];
  const read = processTimeInMs(busy.pid ?? 0);
  busy.disconnect();
  expect(read / ((user + system) / 1000)).toBeGreaterThan(0.8);
  expect(read / ((user + system) / 1000)).toBeLessThan(1.5);
});

/** Adds up numbers, the more the more work there is. */
function scenarioOf(name: string, firstLine: string): string {
  return `${firstLine}
    const add = async () => { let sum = 0; for (let n = 0; n < work * 1e6; n += 1) sum += n % 7; return sum; };
    const cases = [{ name: '${name}', runMeasured: add, runBaseline: add }];
    export const scenario = { rounds: 4, prepare: async () => ({ cases, close: async () => {} }) };\n`;
}

function measure(ref: string, names: string[], signal = new AbortController().signal, onPrint = () => {}) {
  const print = (line: string) => {
    printed.push(line);
    onPrint();
  };
  return measureAgainst({ root, ref, names, turns: 3, rounds: 2, print, signal });
}

function expectNothingLeft(): void {
  expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  expect(git('for-each-ref', '--format=%(refname:short)').split('\n')).toHaveLength(1);
}

function commit(): string {
  git('add', '--all');
  git('-c', 'user.name=Robin', '-c', 'user.email=robin@people.example', 'commit', '--quiet', '--message', 'Work');
  return git('rev-parse', '--short', 'HEAD');
}

function write(file: string, content: string): void {
  writeFileSync(path.join(root, file), content);
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}
