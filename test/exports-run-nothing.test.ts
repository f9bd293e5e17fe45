import { read } from 'hucre';
import { parseCsv } from 'hucre/csv';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportAuditLog } from '#contract/audit.ts';
import { exportOwnStipends, exportStipends } from '#contract/stipend-exports.ts';
import { exportUsers } from '#contract/user-management.ts';
import { audit } from '#server/platform/audit.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort, enrol } from './factories/cohorts.ts';
import { buildAdmin, buildCoach, buildParticipant } from './factories/people.ts';
import { buildStipend } from './factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from './support/app.ts';
import { readContract } from './support/contract.ts';

/** A cell that begins in one of these ways is run by some spreadsheet program. */
const beginnings = ['=', '+', '-', '@', '\t=', '\r=', '\n=', '\r\n=', '＝', '＋', '－', '＠', '==', '=\u0000', '"='];
const formula = 'HYPERLINK("http://bad.example";"x"),1+1';
const runs = /^[=+\-@\t\r\n＝＋－＠]/;
const plainNumber = /^-?\d+(\.\d+)?$/;

const sheets = (await readContract()).filter(({ binary }) =>
  Object.values(binary ?? {})
    .flat()
    .some((type) => type === 'text/csv' || type.includes('spreadsheet')),
);

let server: TestApp;
let admin: Client;
let fellow: Client;
let fellowId: string;
let cohortId: string;
/** The names that people and cohorts have here. */
let texts: string[];

beforeAll(async () => {
  server = await startTestApp();
  // PostgreSQL keeps no NUL.
  texts = beginnings.map((beginning) => `${beginning.replace('\u0000', '\u0001')}${formula}`);
  for (const text of texts) {
    const { person, cohort } = await buildRecordsNamed(text);
    if (text !== texts[0]) continue;
    fellow = await server.as(person);
    fellowId = person.id;
    cohortId = cohort.id;
  }
  admin = await server.as(await buildAdmin(server.db));
});
afterAll(() => server.close());

/** A person, their coach, cohort, stipend and entry in the log, all named by the text. */
async function buildRecordsNamed(text: string) {
  const { db } = server;
  const named = { firstName: text, lastName: text };
  const [first = ''] = text;
  const person = await buildParticipant(db, { ...named, email: `${first.trim()}x${newId()}@people.example` });
  const coach = await buildCoach(db, named);
  const decider = await buildAdmin(db, named);
  const cohort = await buildCohort(db, { name: `${text} ${newId()}` });
  await enrol(db, { cohortId: cohort.id, participantId: person.id, coachId: coach.id });
  const payee = { payeeName: text, payeeEmail: person.email };
  const decided = { paymentStatus: 'approved', approvedBy: decider.id, ...payee };
  await buildStipend(db, { fellowId: person.id, cohortId: cohort.id, ...decided });
  const subject = { action: 'user.update', subjectType: 'user', subjectId: person.id } as const;
  await audit(db, decider.id, { ...subject, before: { firstName: text }, after: { firstName: text }, reason: text });
  return { person, cohort };
}

test('every export of the contract is read below', () => {
  const read = [exportAuditLog, exportOwnStipends, exportStipends, exportUsers].map(({ name }) => name);
  expect(sheets.map(({ name }) => name)).toEqual(read.toSorted());
});

const wishes: [string, () => [Client, string]][] = [
  ['users', () => [admin, exportUsers.path]],
  ['the audit log', () => [admin, exportAuditLog.path]],
  ['the stipends of a week', () => [admin, `${exportStipends.path}?scope=week&week=1`]],
  ['the stipends of a cohort', () => [admin, `${exportStipends.path}?scope=cohort&cohort=${cohortId}`]],
  ['the stipends of a person', () => [admin, `${exportStipends.path}?scope=person&person=${fellowId}`]],
  ['the totals of a year', () => [admin, `${exportStipends.path}?scope=year&year=${new Date().getFullYear()}`]],
  ["a participant's own stipends", () => [fellow, exportOwnStipends.path]],
];

test.each(wishes)('no cell of %s runs anything, as CSV', async (_, wish) => {
  const [client, address] = wish();
  const answer = await client.fetch(formatted(address, 'csv'));
  expect(answer.status).toBe(200);
  const rows = parseCsv(await answer.text(), { delimiter: ',', typeInference: false });
  const cells = rows.slice(1).flatMap((row) => row.map(String));
  expect(cells.filter((cell) => runs.test(cell) && !plainNumber.test(cell))).toEqual([]);
  // What would run is there, as text.
  expect(cells.filter((cell) => cell.startsWith("'") && cell.includes(formula))).not.toEqual([]);
});

test.each(wishes.filter(([name]) => name.includes('stipends') || name.includes('totals')))(
  'every text of %s is text, as XLSX',
  async (_, wish) => {
    const [client, address] = wish();
    const answer = await client.fetch(formatted(address, 'xlsx'));
    expect(answer.status).toBe(200);
    const book = await read(new Uint8Array(await answer.arrayBuffer()));
    expect(book.sheets).toHaveLength(1);
    const [sheet] = book.sheets;
    expect([...(sheet?.cells?.values() ?? [])].filter((cell) => cell.formula !== undefined)).toEqual([]);
    const cells = (sheet?.rows ?? []).slice(1).flat();
    expect(cells.filter((cell) => typeof cell === 'string' && cell.includes(formula))).not.toEqual([]);
  },
);

test('each of the beginnings is kept, behind a mark that makes it text', async () => {
  const answer = await admin.fetch(exportUsers.path);
  const rows = parseCsv(await answer.text(), { delimiter: ',', typeInference: false });
  const names = new Set(rows.slice(1).map(([firstName]) => firstName));
  const asText = texts.map((text) => (runs.test(text) ? `'${text}` : text));
  expect(asText.filter((text) => !names.has(text))).toEqual([]);
});

function formatted(address: string, format: 'csv' | 'xlsx'): string {
  if (address === exportUsers.path || address === exportAuditLog.path) return address;
  return `${address}${address.includes('?') ? '&' : '?'}format=${format}`;
}
