import { sql } from 'kysely';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { printOwnStatement } from '#contract/stipend-exports.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { type BuiltPerson, buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { buildProgramme } from '#test/factories/programmes.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';

let app: TestApp;
let ada: BuiltPerson;
let restoreClock = () => {};

beforeAll(async () => {
  app = await startTestApp();
  ada = await buildAdmin(app.db);
});
afterAll(() => app.close());
afterEach(() => restoreClock());

async function printed(client: Client, path: string) {
  const answer = await client.fetch(path);
  const pdf = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()));
  const { text } = await extractText(pdf, { mergePages: true });
  const { headers } = answer;
  return {
    type: headers.get('content-type'),
    name: headers.get('content-disposition'),
    text: text.replace(/\s+/g, ' '),
  };
}

const pathOf = ({ id }: BuiltPerson) => `/api/users/${id}/stipend-statement`;

/** On Wednesday evening in the zone of the house, which is Thursday in Auckland. */
async function memberInAuckland() {
  restoreClock = stopClockAt('2025-09-24T23:00:00Z');
  const { id: programmeId } = await buildProgramme(app.db, { zone: 'Pacific/Auckland' });
  const { id: cohortId } = await buildCohort(app.db, { programmeId, startDate: '2025-09-08' });
  const nia = await buildParticipant(app.db, { firstName: 'Nia', lastName: 'Ng' });
  await enrol(app.db, { cohortId, participantId: nia.id });
  return nia;
}

test('a statement is of the day in the zone of the person’s program, whoever prints it', async () => {
  const nia = await memberInAuckland();
  const own = await printed(await app.as(nia), printOwnStatement.path);
  expect(own).toMatchObject({
    type: 'application/pdf',
    name: 'attachment; filename="stipend-statement-2025-09-25.pdf"',
  });
  expect(own.text).toContain(`Stipend statement Nia Ng ${nia.email} As of Sep 25, 2025, New Zealand Time Totals`);
  expect(await printed(await app.as(ada), pathOf(nia))).toEqual(own);
});

test('a statement that an admin prints is on record as an export, and a person’s own is not', async () => {
  const nia = await memberInAuckland();
  await printed(await app.as(nia), printOwnStatement.path);
  await printed(await app.as(ada), pathOf(nia));
  const trail = app.db
    .selectFrom('auditLog')
    .select(['actorId', 'subjectType', 'subjectId', 'before', 'after'])
    .where('action', '=', 'stipend.export')
    .where(sql<boolean>`${nia.id} in (actor_id::text, after->>'person')`);
  expect(await trail.execute()).toEqual([
    {
      ...{ actorId: ada.id, subjectType: 'user', subjectId: ada.id, before: null },
      after: { scope: 'person', person: nia.id, format: 'pdf' },
    },
  ]);
});
