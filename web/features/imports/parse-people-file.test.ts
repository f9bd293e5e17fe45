import { expect, test } from 'vitest';
import { fileProblem, type PeopleFile, parsePeople } from './parse-people-file.ts';

const cohorts = [
  { name: 'Fall 2026', programType: 'fellowship' },
  { name: 'Harbor', programType: 'adult_mobilization' },
];
const email = 'nadia@people.example';
const header = 'first_name,last_name,email,program,cohort,role';
const row = (facts: Partial<Record<string, string>> = {}) => {
  const cells = {
    first_name: 'Nadia',
    last_name: 'Ng',
    email,
    program: 'fellowship',
    cohort: 'Fall 2026',
    role: 'participant',
    ...facts,
  };
  return Object.values(cells).join(',');
};

function read(text: string) {
  return parsePeople(text, 'people.csv', cohorts);
}

function people(text: string): PeopleFile {
  const result = read(text);
  if ('title' in result) throw new Error(`${result.title}: ${result.message}`);
  return result;
}

function errorsOf(...rows: string[]) {
  return people([header, ...rows].join('\n')).errors;
}

test('BULK-03 judges a CSV file by its name in any letter case, or by its type', () => {
  const refused = { title: 'Invalid File Type', message: 'Please select a CSV file' };
  expect(fileProblem(new File(['a'], 'people.xlsx'))).toEqual(refused);
  expect(fileProblem(new File(['a'], 'people.csv.pdf', { type: 'application/pdf' }))).toEqual(refused);
  expect(fileProblem(new File(['a'], 'PEOPLE.CSV', { type: 'application/vnd.ms-excel' }))).toBeNull();
  expect(fileProblem(new File(['a'], 'people', { type: 'text/csv' }))).toBeNull();
});

test('BULK-04 BULK-05 refuses a file above 5 MB and takes one of exactly 5 MB', () => {
  const limit = 5 * 1024 * 1024;
  expect(fileProblem(new File([new Uint8Array(limit)], 'people.csv'))).toBeNull();
  expect(fileProblem(new File([new Uint8Array(limit + 1)], 'people.csv'))).toEqual({
    title: 'File Too Large',
    message: 'File size must be less than 5MB',
  });
});

test('BULK-06 BULK-07 takes 1000 records beside header and blank rows, and refuses 1001', () => {
  const lines = Array.from({ length: 1000 }, () => row());
  expect(people([header, '', ...lines, ' , , ,,,', ''].join('\n')).validRecords).toHaveLength(1000);
  expect(read([header, ...lines, row()].join('\n'))).toEqual({
    title: 'Too Many Records',
    message: 'Maximum 1000 records allowed per upload',
  });
});

test('BULK-08 BULK-25 blank rows give neither record nor error, and do not shift the row that an error names', () => {
  const { records, errors } = people([header, row(), '', ',,,,,', row({ email: '' })].join('\n'));
  expect(records.map((record) => record.row)).toEqual([2, 5]);
  expect(errors).toEqual([{ row: 5, email: '', message: 'Email is required' }]);
});

test('BULK-09 BULK-13 names exactly the missing columns', () => {
  expect(read(`first_name,email,cohort\n${row()}`)).toEqual({
    title: 'File Parse Error',
    message: 'Missing required columns: last_name, program, role',
  });
});

test('BULK-10 BULK-24 track_type may be absent or empty, and is otherwise one of three', () => {
  expect(errorsOf(row())).toEqual([]);
  const withTrack = (track: string) => people(`${header},track_type\n${row()},${track}`);
  expect(withTrack('').errors).toEqual([]);
  expect(withTrack('').records[0]?.record).not.toHaveProperty('track_type');
  for (const track of ['fellowship', 'adult_mobilization', 'self_learner']) {
    expect(withTrack(track)).toMatchObject({ errors: [], records: [{ record: { track_type: track } }] });
  }
  expect(withTrack('tourist').errors).toEqual([
    { row: 2, email, message: 'Track type must be fellowship, adult_mobilization, or self_learner' },
  ]);
});

test('BULK-11 reads any order, other letter case, extra columns, quotes, CRLF, a byte order mark, semicolons and tabs', () => {
  const expected = {
    first_name: 'Ana "Bo"',
    last_name: 'Smith, Jr',
    email: 'ana@people.example',
    program: 'fellowship',
    cohort: 'Fall 2026',
    role: 'coach',
  };
  const columns = ['Role', 'note', 'EMAIL', 'first_name', 'Last_Name', 'program', 'cohort'];
  const cells = ['coach', 'x', 'ana@people.example', '"Ana ""Bo"""', '"Smith, Jr"', 'fellowship', 'Fall 2026'];
  for (const delimiter of [',', ';', '\t']) {
    const text = `\ufeff${columns.join(delimiter)}\r\n${cells.join(delimiter)}\r\n`;
    expect(people(text)).toMatchObject({ errors: [], records: [{ row: 2, record: expected }] });
  }
});

test('BULK-12 BULK-13 a file without content, or with a header only, is empty', () => {
  const empty = { title: 'File Parse Error', message: 'File is empty' };
  expect(read('')).toEqual(empty);
  expect(read('\n , \n')).toEqual(empty);
  expect(read(header)).toEqual(empty);
});

test('BULK-13 a quote that is never closed is named with its row', () => {
  expect(read(`${header}\n${row()}\n"Nadia,Ng`)).toEqual({
    title: 'File Parse Error',
    message: 'Row 3: Quoted field unterminated',
  });
});

test('BULK-14 BULK-15 BULK-16 BULK-17 BULK-18 BULK-19 BULK-22 BULK-23 says what each field of a row lacks', () => {
  const cases: [Partial<Record<string, string>>, string][] = [
    [{ first_name: ' ' }, 'First name is required'],
    [{ last_name: '' }, 'Last name is required'],
    [{ email: '' }, 'Email is required'],
    [{ email: 'nadia@people' }, 'Invalid email format'],
    [{ email: 'nadia people.example' }, 'Invalid email format'],
    [{ program: '' }, 'Program is required'],
    [{ cohort: '' }, 'Cohort is required'],
    [{ role: '' }, 'Role is required'],
    [{ role: 'owner' }, 'Role must be participant, coach, or admin'],
  ];
  for (const [facts, message] of cases) expect(errorsOf(row(facts))).toMatchObject([{ row: 2, message }]);
  for (const role of ['participant', 'coach', 'admin', 'Coach']) expect(errorsOf(row({ role }))).toEqual([]);
});

test('BULK-20 BULK-21 a cohort counts only under its own programme', () => {
  const message = (cohort: string, program: string) =>
    `Invalid cohort "${cohort}" for program "${program}". Please check available cohorts.`;
  expect(errorsOf(row({ cohort: 'Nowhere' }))).toEqual([{ row: 2, email, message: message('Nowhere', 'fellowship') }]);
  expect(errorsOf(row({ cohort: 'Harbor' }))).toEqual([{ row: 2, email, message: message('Harbor', 'fellowship') }]);
  expect(errorsOf(row({ cohort: 'Harbor', program: 'adult_mobilization' }))).toEqual([]);
});

test('BULK-08 a record says its row in the file only where it is not one below its position', () => {
  const { records } = people([header, row(), '', row()].join('\n'));
  expect(records[0]?.record).not.toHaveProperty('row');
  expect(records[1]?.record.row).toBe(4);
});

test('the optional columns coach_email and phone are read and checked', () => {
  const read = (coach: string, phone: string, facts = {}) =>
    people(`${header},coach_email,Phone\n${row(facts)},${coach},${phone}`);
  expect(read('coach@people.example', '+1 (212) 555-0134')).toMatchObject({
    errors: [],
    records: [{ record: { coach_email: 'coach@people.example', phone: '+1 (212) 555-0134' } }],
  });
  expect(read('nobody', '1.55512E+10').errors.map(({ message }) => message)).toEqual([
    'Invalid coach email format',
    'Invalid phone number',
  ]);
  expect(read('coach@people.example', '', { role: 'coach' }).errors).toMatchObject([
    { message: 'Only a participant can have a coach' },
  ]);
});
