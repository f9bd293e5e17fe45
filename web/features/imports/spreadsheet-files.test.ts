import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { decodeText, type PeopleFile, parsePeople } from './parse-people-file.ts';

const cohorts = [{ name: 'Fall 2026', programType: 'fellowship' }];
const header = ['first_name', 'last_name', 'email', 'program', 'cohort', 'role'];
const zoe = ['Zoë', 'Müller', 'zoe@people.example', 'fellowship', 'Fall 2026', 'participant'];
const jose = ['José', 'Núñez, Jr.', 'jose@people.example', 'fellowship', 'Fall 2026', 'participant'];

function people(bytes: Uint8Array): PeopleFile {
  const result = parsePeople(decodeText(bytes), 'people.csv', cohorts);
  if ('title' in result) throw new Error(`${result.title}: ${result.message}`);
  return result;
}

function expectZoeAndJose(bytes: Uint8Array, rows = [2, 3]) {
  const { records, errors } = people(bytes);
  expect(errors).toEqual([]);
  expect(records.map(({ row }) => row)).toEqual(rows);
  const [first, second] = [zoe, jose].map((cells) => Object.fromEntries(header.map((name, at) => [name, cells[at]])));
  expect(records.map(({ record }) => record)).toMatchObject([first, second]);
}

/** Writes cells as a program does, with quotes around a cell that contains the delimiter. */
function written(delimiter: string, lineEnd: string, rows = [header, zoe, jose]): string {
  const quoted = (cell: string) => (cell.includes(delimiter) ? `"${cell}"` : cell);
  return rows.map((cells) => cells.map(quoted).join(delimiter) + lineEnd).join('');
}

const utf8 = (text: string) => new TextEncoder().encode(text);

/** One byte per letter. The table has the letters above ASCII. */
function oneByte(text: string, letters: Record<string, number>): Uint8Array {
  return Uint8Array.from(text, (letter) => letters[letter] ?? letter.charCodeAt(0));
}

function utf16(text: string, isBigEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * text.length + 2));
  [...`\ufeff${text}`].forEach((letter, index) => {
    view.setUint16(2 * index, letter.charCodeAt(0), !isBigEndian);
  });
  return new Uint8Array(view.buffer);
}

test.each([
  ['Excel on Windows, CSV UTF-8: a mark and CRLF', utf8(`\ufeff${written(',', '\r\n')}`)],
  ['Excel on Windows in a country of semicolons', utf8(`\ufeff${written(';', '\r\n')}`)],
  [
    'Excel on Windows, CSV: Windows-1252',
    oneByte(written(',', '\r\n'), { ë: 0xeb, ü: 0xfc, é: 0xe9, ú: 0xfa, ñ: 0xf1 }),
  ],
  [
    'Excel on a Mac, CSV (Macintosh): CR and Mac Roman',
    oneByte(written(',', '\r'), { ë: 0x91, ü: 0x9f, é: 0x8e, ú: 0x9c, ñ: 0x96 }),
  ],
  ['Excel, Unicode text: UTF-16 with tabs', utf16(written('\t', '\r\n'), false)],
  ['UTF-16 with the bytes the other way round', utf16(written('\t', '\r\n'), true)],
  ['Excel with its line sep=;', utf8(`sep=;\r\n${written(';', '\r\n')}`)],
  ['a quoted line sep=|', utf8(`"sep=|"\n${written('|', '\n')}`)],
  ['Google Sheets: no mark, CRLF, no line end after the last row', utf8(written(',', '\r\n').trimEnd())],
  ['Numbers: quotes around nothing but what needs them, LF', utf8(written(',', '\n'))],
  [
    'empty columns on the right and empty rows below',
    utf8(
      `${written(
        ',',
        '\n',
        [header, zoe, jose].map((cells) => [...cells, '', '']),
      )},,,,,,,\n\n,,,,,,,\n`,
    ),
  ],
])('%s', (_, bytes) => {
  expectZoeAndJose(bytes);
});

test('Numbers with the name of the table above the header', () => {
  expectZoeAndJose(utf8(`Table 1\n${written(';', '\n')}`), [3, 4]);
});

test('BULK-11 columns are known in other spellings, and numbers may be quoted', () => {
  const names = ['"First Name"', 'LAST-NAME', ' É-mail ', 'Program', 'cohort', 'Role', 'Phone'];
  const bytes = utf8(`${names.join(',')}\n${zoe.join(',')},"2125550134"\n`);
  expect(people(bytes)).toMatchObject({
    errors: [],
    records: [{ record: { first_name: 'Zoë', phone: '2125550134' } }],
  });
});

test('BULK-11 a line break inside of quotes is part of the cell and moves no row', () => {
  const lines = `note,${header.join(',')}\r\n"two\r\nlines, and ""quotes""",${zoe.join(',')}\r\n,${zoe.join(',').replace('Zoë', '"Zoë\r\nAnn"')}\r\n`;
  const { records, errors } = people(utf8(lines));
  expect(errors).toEqual([]);
  expect(records.map(({ row }) => row)).toEqual([2, 3]);
  expect(records[1]?.record.first_name).toBe('Zoë Ann');
});

/** LibreOffice 7.4 saved these files from one spreadsheet. */
test.each(['utf-8', 'windows-1252-semicolons', 'utf-16-tabs'])('a file that LibreOffice itself saved as %s', (kind) => {
  const file = path.join(import.meta.dirname, 'spreadsheet-files', `libreoffice-${kind}.csv`);
  const { records, errors } = people(new Uint8Array(readFileSync(file)));
  expect(errors).toEqual([]);
  expect(records).toMatchObject([
    { row: 2, record: { first_name: 'Zoë', last_name: 'Müller', phone: '+1 212 555 0134', role: 'participant' } },
    {
      row: 3,
      record: { first_name: 'José', last_name: 'Núñez, Jr.', phone: '2125550135', track_type: 'self_learner' },
    },
    {
      row: 5,
      record: { first_name: 'Renée', last_name: "O'Hara", email: 'renee.ohara@people.example', role: 'coach' },
    },
  ]);
});

test('BULK-05 BULK-07 a file of exactly 5 MB with exactly 1000 records is read whole', () => {
  const lines = Array.from({ length: 1000 }, () => `${zoe.join(',')},`);
  const start = `${header.join(',')},note\n${lines.join('\n')}`;
  const rest = 5 * 1024 * 1024 - utf8(start).length;
  const bytes = utf8(start + 'x'.repeat(rest));
  expect(bytes).toHaveLength(5 * 1024 * 1024);
  expect(people(bytes)).toMatchObject({ errors: [], records: { length: 1000 } });
});
