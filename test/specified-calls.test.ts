import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readContract } from './support/contract.ts';

const page = await readFile(path.resolve(import.meta.dirname, '../docs/specified-calls.md'), 'utf8');
const named = [...page.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`]*)`/g)].map(([, call = '']) => call);

test('every endpoint that the map of calls names is in the contract, with this method and path', async () => {
  const promised = new Set((await readContract()).map((endpoint) => `${endpoint.method} ${endpoint.path}`));
  expect(named.length).toBeGreaterThan(60);
  expect([...new Set(named)].filter((call) => !promised.has(call))).toEqual([]);
});

test('the map names every path with its method', () => {
  expect([...page.matchAll(/`(\/[^`]*)`/g)].map(([, bare]) => bare)).toEqual([]);
});

test('every documented call of the authentication has its endpoint', () => {
  const section = page.slice(page.indexOf('## Authentication'), page.indexOf('## Tables'));
  const lines = section.split('\n').filter((line) => /\| AUTH-\d+ \|/.test(line));
  const rows = new Set(lines.map((line) => /AUTH-\d+/.exec(line)?.[0]));
  expect([...rows].toSorted()).toEqual(Array.from({ length: 20 }, (_, index) => `AUTH-${49 + index}`));
  for (const line of lines) expect(line, line).toMatch(/`(GET|POST|PUT|PATCH|DELETE) \/[^`]+`/);
  expect(section).not.toMatch(/\bopen\b/);
});
