import type { TestProject } from 'vitest/node';
import { openTestServer } from './test-server.ts';

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { connectionString, template, close } = await openTestServer();
  project.provide('testServer', { connectionString, template });
  return close;
}
