import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createModule } from '#contract/programme-setup.ts';
import { brokenConstraints } from '#server/platform/broken-constraints.ts';
import { newId } from '#server/platform/ids.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';

let server: TestApp;
const lines: Record<string, unknown>[] = [];
beforeAll(async () => {
  server = await startTestApp({ LOG_LEVEL: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
});
afterAll(() => server.close());

const specialization = { title: 'Relays', moduleType: 'specialization', curriculumVersion: 'v1', isArchived: false };

test('a track that is gone is told at its field, and the log names the constraint', async () => {
  const admin = await server.as(await buildAdmin(server.db));
  const body = { ...specialization, moduleType: 'specialization' as const, trackId: newId() };
  const detail = 'This track no longer exists. Somebody may have deleted it.';
  expect(await admin.refused(createModule, { body })).toMatchObject({
    status: 409,
    problem: { code: 'conflict', detail, errors: [{ path: 'trackId', message: detail }] },
  });
  expect(lines).toContainEqual(
    expect.objectContaining({ constraint: 'course_modules_specialization_track_id_fkey', sqlState: '23503' }),
  );
});

test('every constraint that has words exists', async () => {
  const found = await sql<{ name: string }>`
    select conname as name from pg_constraint
    union select indexrelid::regclass::text from pg_index where indisunique`.execute(server.db);
  const known = found.rows.map(({ name }) => name.replace(/^.*\./, ''));
  expect(brokenConstraints.filter((name) => !known.includes(name))).toEqual([]);
});

test('every reference to what people can delete says in its own words that it is gone', async () => {
  const deletable = [
    'cohorts',
    'content_assignments',
    'content_items',
    'course_modules',
    'courses',
    'specialization_tracks',
    'stored_files',
    'training_activities',
  ];
  const found = await sql<{ name: string }>`
    select conname as name from pg_constraint
    where contype = 'f' and confrelid::regclass::text = any(${deletable}::text[])`.execute(server.db);
  expect(found.rows.length).toBeGreaterThan(25);
  expect(found.rows.map(({ name }) => name).filter((name) => !brokenConstraints.includes(name))).toEqual([]);
});
