import { expect, test } from 'vitest';
import type { BulkRecord } from '#contract/documented-functions.ts';
import { checkRecords, cleanRecord, cleanText, grantsPower, type ImportRecord } from './import-checks.ts';
import { freePlacesOf, type PlacingCohort, placeRows } from './import-places.ts';

const fall = { id: 'fall', name: 'Fall 2026', programType: 'fellowship' };
const spring = { id: 'spring', name: 'Spring', programType: 'adult_mobilization' };
const lower = { id: 'lower', name: 'spring', programType: 'adult_mobilization' };
const winter = { id: 'winter', name: 'Winter', programType: 'adult_mobilization' };
const otherFall = { ...fall, id: 'otherFall', programType: 'adult_mobilization' };
const cohorts = [fall, spring, lower, winter];

const record = (facts: Partial<BulkRecord> = {}): BulkRecord => ({
  ...{ first_name: 'Nadia', last_name: 'Ng', email: 'nadia@example.org', program: 'fellowship', cohort: 'Fall 2026' },
  ...{ role: 'participant', ...facts },
});

type Roles = [email: string, role: string | null][];
const check = (records: BulkRecord[], roles: Roles = []) => checkRecords(records, { cohorts, roles: new Map(roles) });
/** What becomes of each row: the reason why it is left out, or null. */
const errorsOf = (records: BulkRecord[], roles: Roles = []) => check(records, roles).map(({ error }) => error);

test('a row that keeps the rules waits, with what its account will have', () => {
  expect(
    check(
      [record({ row: 7, coach_email: 'cole@example.org', phone: '(212) 555-0123' })],
      [['cole@example.org', 'coach']],
    ),
  ).toEqual([
    {
      ...{ rowNumber: 1, fileRow: 7, status: 'waiting', error: null },
      record: {
        ...{ firstName: 'Nadia', lastName: 'Ng', email: 'nadia@example.org', role: 'participant' },
        ...{ trackType: 'fellowship', cohortId: 'fall', coachEmail: 'cole@example.org', phone: '+12125550123' },
      },
    },
  ]);
});

test('without a track a participant gets that of the cohort, a coach none, and nobody gets a coach or number not given', () => {
  const records = check([
    record(),
    record({ email: 'a@example.org', role: 'coach' }),
    record({ email: 'b@example.org', role: 'coach', track_type: 'self_learner' }),
    record({ email: 'c@example.org', program: 'adult_mobilization', cohort: 'Spring', track_type: 'self_learner' }),
  ]).map(({ record }) => record);
  expect(records).toMatchObject([
    { trackType: 'fellowship', coachEmail: null, phone: null },
    { role: 'coach', trackType: null },
    { role: 'coach', trackType: 'self_learner' },
    { cohortId: 'spring', trackType: 'self_learner' },
  ]);
});

test('a row that breaks rules is left out with all of them, and keeps only its address', () => {
  expect(check([record({ first_name: '', role: 'owner' }), record()])).toMatchObject([
    {
      ...{ rowNumber: 1, fileRow: null, status: 'failed', record: { email: 'nadia@example.org' } },
      error: 'First name is required; Role must be participant, coach, or admin',
    },
    { rowNumber: 2, status: 'waiting' },
  ]);
});

test('an address that has an account, or stood in the file before, is left out', () => {
  const repeated = 'This email is repeated in the file; its first record was used';
  expect(errorsOf([record(), record(), record()])).toEqual([null, repeated, repeated]);
  // What is left out takes no address.
  expect(errorsOf([record({ last_name: '' }), record()])).toEqual(['Last name is required', null]);
  // A row that breaks rules is told of these alone.
  expect(errorsOf([record(), record({ last_name: '' })])).toEqual([null, 'Last name is required']);
  for (const role of ['participant', null]) {
    expect(errorsOf([record()], [['nadia@example.org', role]])).toEqual(['An account with this email already exists']);
  }
});

test('a participant gets a coach who is one, or becomes one by the same file', () => {
  const led = (by: string, email = 'nadia@example.org') => record({ email, coach_email: by });
  const nobody = 'No coach has the email "cole@example.org"';
  const coach = record({ email: 'cole@example.org', role: 'coach' });
  expect(errorsOf([led('cole@example.org')])).toEqual([nobody]);
  expect(errorsOf([led('cole@example.org')], [['cole@example.org', 'coach']])).toEqual([null]);
  expect(errorsOf([led('cole@example.org')], [['cole@example.org', 'admin']])).toEqual([nobody]);
  expect(errorsOf([led('cole@example.org'), coach])).toEqual([null, null]);
  expect(errorsOf([led(''), record({ email: 'b@example.org' })])).toEqual([null, null]);
});

test('a coach of the file counts only by the row that makes the account', () => {
  const led = record({ coach_email: 'cole@example.org' });
  const nobody = 'No coach has the email "cole@example.org"';
  const asCoach = record({ email: 'cole@example.org', role: 'coach' });
  const asAdmin = record({ email: 'cole@example.org', role: 'admin' });
  expect(errorsOf([led, asAdmin, asCoach])[0]).toBe(nobody);
  expect(errorsOf([led, asCoach, asAdmin])[0]).toBeNull();
  // A row that is left out makes no account, nor does one whose address has an account.
  expect(errorsOf([led, { ...asCoach, last_name: '' }])[0]).toBe(nobody);
  expect(errorsOf([led, asCoach], [['cole@example.org', 'participant']])[0]).toBe(nobody);
  expect(errorsOf([led, { ...asAdmin, last_name: '' }, asCoach])[0]).toBeNull();
});

test('a cohort of exactly this name comes before one that differs only in letter case, within its program', () => {
  const cohortOf = (cohort: string, program = 'adult_mobilization') =>
    check([record({ cohort, program })]).map((row) => (row.status === 'waiting' ? row.record.cohortId : row.error));
  expect(cohortOf('Spring')).toEqual(['spring']);
  expect(cohortOf('spring')).toEqual(['lower']);
  expect(cohortOf('SPRING')).toEqual(['spring']);
  expect(cohortOf('WINTER')).toEqual(['winter']);
  expect(cohortOf('FALL 2026', 'Fellowship')).toEqual(['fall']);
  expect(cohortOf('Fall 2026', 'adult_mobilization')).toEqual([
    'Invalid cohort "Fall 2026" for program "adult_mobilization". Please check available cohorts.',
  ]);
});

test('of cohorts with one name that of the program is meant', () => {
  for (const known of [
    [fall, otherFall],
    [otherFall, fall],
  ]) {
    const [row] = checkRecords([record()], { cohorts: known, roles: new Map() });
    expect(row?.record).toMatchObject({ cohortId: 'fall' });
  }
});

test('white space, letter case and what a database cannot hold are cleaned, and the row of the file is kept', () => {
  const messy = {
    ...{ first_name: ' Nadia\t Maria ', last_name: 'N\0g', email: ' Nadia@Example.ORG ', program: ' Fellowship ' },
    ...{ cohort: ' Fall  2026 ', role: ' Participant ', track_type: ' FELLOWSHIP', coach_email: 'Cole@Example.org ' },
    ...{ phone: ' 212 \n 555 ', row: 3 },
  };
  expect(cleanRecord(messy)).toEqual({
    ...{ first_name: 'Nadia Maria', last_name: 'Ng', email: 'nadia@example.org', program: 'Fellowship' },
    ...{ cohort: 'Fall 2026', role: 'participant', track_type: 'fellowship', coach_email: 'cole@example.org' },
    ...{ phone: '212 555', row: 3 },
  });
  expect(cleanRecord(record())).toEqual(record({ track_type: '', coach_email: '', phone: '' }));
  expect('row' in cleanRecord(record())).toBe(false);
  expect(cleanText('half a \uD83D pair')).toBe('half a \uFFFD pair');
});

test('a file that makes coaches or admins grants power, whatever the letter case', () => {
  expect([[], [record()]].map(grantsPower)).toEqual([false, false]);
  for (const role of ['coach', 'ADMIN', ' Coach ']) expect(grantsPower([record(), record({ role })]), role).toBe(true);
});

const placing = (facts: Partial<PlacingCohort> = {}): PlacingCohort => ({
  ...fall,
  ...{ status: 'active', capacity: 1_002, currentEnrollment: 1_000, ...facts },
});
const waiting = (rowNumber: number, facts: Partial<ImportRecord> = {}) => ({
  rowNumber,
  record: {
    ...{ firstName: 'Nadia', lastName: 'Ng', email: `${rowNumber}@example.org`, role: 'participant' as const },
    ...{ trackType: null, cohortId: 'fall', coachEmail: null, phone: null, ...facts },
  },
});
const courses = [{ id: 'course', programType: 'fellowship' }];
const coaches = new Map([['cole@example.org', 'cole']]);
const full = 'Cohort "Fall 2026" is full: all 1,002 places are taken';

test('participants take the free places in the order of the rows, and coaches take none', () => {
  const rows = [waiting(1), waiting(2, { role: 'coach' }), waiting(3), waiting(4), waiting(5, { role: 'coach' })];
  const placed = placeRows(rows, { cohorts: [placing()], courses, coaches });
  expect(placed.map(({ error }) => error)).toEqual([null, null, null, full, null]);
  expect(placed.map(({ courseId }) => courseId)).toEqual(['course', null, 'course', 'course', null]);
  expect(placed[0]).toEqual({ ...rows[0]?.record, rowNumber: 1, courseId: 'course', coachId: null, error: null });
});

test('who is left out for another reason takes no place', () => {
  const rows = [waiting(1, { coachEmail: 'gone@example.org' }), waiting(2), waiting(3)];
  const placed = placeRows(rows, { cohorts: [placing()], courses, coaches });
  expect(placed.map(({ error }) => error)).toEqual(['No coach has the email "gone@example.org"', null, null]);
});

test('a cohort with more members than places has none left', () => {
  expect([placing(), placing({ currentEnrollment: 1_003 })].map(freePlacesOf)).toEqual([2, 0]);
});

test.each([
  ['active', null],
  ['planning', null],
  ['completed', 'The cohort is no longer active or planning'],
])('into a cohort that is %s people get, or not', (status, error) => {
  for (const role of ['participant', 'coach'] as const) {
    const [row] = placeRows([waiting(1, { role })], { cohorts: [placing({ status })], courses, coaches });
    expect(row?.error).toBe(error);
  }
});

test('a cohort that is gone takes nobody', () => {
  const [row] = placeRows([waiting(1)], { cohorts: [], courses, coaches });
  expect(row).toMatchObject({ error: 'The cohort is no longer active or planning', courseId: null });
});

test('a participant gets coach and course, and no coach without a course', () => {
  const led = waiting(1, { coachEmail: 'cole@example.org' });
  const place = (given: typeof courses) => placeRows([led], { cohorts: [placing()], courses: given, coaches })[0];
  expect(place(courses)).toMatchObject({ coachId: 'cole', courseId: 'course', error: null });
  const error = 'Program "fellowship" has no course, so we cannot assign a coach';
  expect(place([])).toMatchObject({ courseId: null, error });
  expect(place([{ id: 'other', programType: 'self_learner' }])).toMatchObject({ courseId: null, error });
  const [alone] = placeRows([waiting(1)], { cohorts: [placing()], courses: [], coaches });
  expect(alone).toMatchObject({ courseId: null, coachId: null, error: null });
});
