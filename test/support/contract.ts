import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Endpoint } from '#contract/endpoint.ts';

const folder = path.resolve(import.meta.dirname, '../../contract');

/** Every endpoint that any file of the contract exports. */
export async function readContract(): Promise<Endpoint[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const modules: Record<string, unknown>[] = await Promise.all(files.map((name) => import(path.join(folder, name))));
  const endpoints = modules.flatMap((exported) => Object.values(exported)).filter(isEndpoint);
  return [...new Set(endpoints)].toSorted((left, right) => left.name.localeCompare(right.name));
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;
}
