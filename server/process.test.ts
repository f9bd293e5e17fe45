import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** What only some installations or rare acts need. */
const rare = [
  '@aws-sdk/client-s3',
  '@opentelemetry/exporter-trace-otlp-http',
  '@simplewebauthn/server',
  'age-encryption',
  'hucre',
  'nodemailer',
  'ox',
  'pdfkit',
];

const script = `
  import { registerHooks } from 'node:module';
  const packages = new Set();
  registerHooks({
    load(url, context, next) {
      packages.add(/\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]);
      return next(url, context);
    },
  });
  await import('#server/process.ts');
  console.log(JSON.stringify([...packages]));`;

test('a process loads at its start nothing that only some installations or rare acts need', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  const loaded: unknown = JSON.parse(stdout);
  expect(loaded).toEqual(expect.arrayContaining(['fastify', 'pg', 'pg-boss']));
  expect(rare.filter((name) => (loaded as string[]).includes(name))).toEqual([]);
});
