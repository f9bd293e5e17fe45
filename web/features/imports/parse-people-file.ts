import Papa from 'papaparse';
import type { BulkRecord } from '#contract/documented-functions.ts';
import {
  type BulkColumn,
  bulkColumns,
  bulkLimits,
  bulkMessages,
  type ImportableCohort,
  optionalBulkColumns,
  recordErrors,
} from '#contract/imports.ts';

/** A record and its row, counted as a spreadsheet does: the header is row 1. */
export interface FileRecord {
  row: number;
  record: BulkRecord;
}

export interface FileError {
  row: number;
  email: string;
  message: string;
}

export interface PeopleFile {
  filename: string;
  records: FileRecord[];
  validRecords: FileRecord[];
  /** Every message of every row, in file order (BULK-25). */
  errors: FileError[];
}

/** Why a file is of no use at all, in the notice's words. */
export interface FileProblem {
  title: string;
  message: string;
}

type Columns = Map<BulkColumn, number>;

const delimiters = [',', ';', '\t'];
const parseErrorTitle = 'File Parse Error';
/** The header must be among this many first lines. */
const linesBeforeData = 5;

/** Says what is wrong with a file before it is read (BULK-03 to BULK-05). */
export function fileProblem(file: File): FileProblem | null {
  if (!/\.csv$/i.test(file.name) && file.type !== 'text/csv') {
    return { title: 'Invalid File Type', message: 'Please select a CSV file' };
  }
  if (file.size > bulkLimits.bytes) return { title: 'File Too Large', message: 'File size must be less than 5MB' };
  return null;
}

/** Reads UTF-8, UTF-16 with its mark, or an old encoding that spreadsheet programs still write. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

/** Reads and checks the people of a file (BULK-06 to BULK-29). */
export function parsePeople(text: string, filename: string, cohorts: ImportableCohort[]): PeopleFile | FileProblem {
  const { lines, separator } = takeSeparatorLine(text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'));
  const { data, errors } = Papa.parse<string[]>(lines, { delimiter: separator ?? findDelimiter(lines), newline: '\n' });
  const [brokenQuote] = errors.filter(({ type }) => type === 'Quotes');
  if (brokenQuote) return parseError(`Row ${(brokenQuote.row ?? 0) + 1}: ${brokenQuote.message}`);

  const { header, rows } = withoutTitle(
    data
      .map((cells, index) => ({ row: index + 1, cells: cells.map((cell) => cell.replace(/\s+/g, ' ').trim()) }))
      .filter(({ cells }) => cells.some((cell) => cell !== '')),
  );
  if (!header) return parseError(bulkMessages.empty);
  const columns = findColumns(header.cells);
  const missing = bulkColumns.filter((column) => !columns.has(column));
  if (missing.length > 0) return parseError(`Missing required columns: ${missing.join(', ')}`);
  if (rows.length === 0) return parseError(bulkMessages.empty);
  if (rows.length > bulkLimits.records) return { title: 'Too Many Records', message: bulkMessages.tooMany };

  const checked = rows.map(({ row, cells }, index) => {
    const record = readRecord(cells, columns);
    // The server takes the row to be one below the position. Only another row is sent.
    const sent = row === index + 2 ? record : { ...record, row };
    return { row, record: sent, messages: recordErrors(record, cohorts) };
  });
  return {
    filename,
    records: checked.map(({ row, record }) => ({ row, record })),
    validRecords: checked.filter(({ messages }) => messages.length === 0).map(({ row, record }) => ({ row, record })),
    errors: checked.flatMap(({ row, record, messages }) =>
      messages.map((message) => ({ row, email: record.email, message })),
    ),
  };
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (isUtf8(bytes)) return 'utf-8';
  // Lines that end with CR alone come from Excel on a Mac, which then writes the Mac's own letters.
  return bytes.includes(0x0d) && !bytes.includes(0x0a) ? 'macintosh' : 'windows-1252';
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

function parseError(message: string): FileProblem {
  return { title: parseErrorTitle, message };
}

/** Excel reads a first line `sep=;` but does not show it. So the header below is Excel's row 1. */
function takeSeparatorLine(lines: string): { lines: string; separator: string | null } {
  const found = /^"?sep=([^\n])"?[^\S\n]*(?:\n|$)/i.exec(lines);
  return { lines: lines.slice(found?.[0].length ?? 0), separator: found?.[1] ?? null };
}

/** Picks the delimiter that makes most cells of the header known columns. On a tie, the first of `delimiters` wins. */
function findDelimiter(lines: string): string {
  const known = (delimiter: string) => {
    const { data } = Papa.parse<string[]>(lines, { delimiter, newline: '\n', preview: linesBeforeData });
    return Math.max(0, ...data.map((cells) => findColumns(cells).size));
  };
  return delimiters.reduce((best, delimiter) => (known(delimiter) > known(best) ? delimiter : best));
}

interface FileRow {
  row: number;
  cells: string[];
}

/** Apple's Numbers can write a table's name above the header. So the header is the first row with a known column. */
function withoutTitle(rows: FileRow[]): { header: FileRow | undefined; rows: FileRow[] } {
  const first = rows.slice(0, linesBeforeData).findIndex(({ cells }) => findColumns(cells).size > 0);
  const position = Math.max(0, first);
  return { header: rows[position], rows: rows.slice(position + 1) };
}

/** Finds columns by name, in any order and spelling. If two have one name, the first counts (BULK-11). */
function findColumns(header: string[]): Columns {
  const names = header.map(spellingOf);
  const known = [...bulkColumns, ...optionalBulkColumns].map((column) => {
    return [column, names.indexOf(spellingOf(column))] as const;
  });
  return new Map(known.filter(([, position]) => position >= 0));
}

/** 'E-mail', 'EMAIL' and 'é mail' are one column, as 'First Name' and 'first_name' are. */
function spellingOf(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

function readRecord(cells: string[], columns: Columns): BulkRecord {
  const cell = (column: BulkColumn) => cells[columns.get(column) ?? -1] ?? '';
  const given = optionalBulkColumns.filter((column) => cell(column)).map((column) => [column, cell(column)]);
  return {
    first_name: cell('first_name'),
    last_name: cell('last_name'),
    email: cell('email'),
    program: cell('program'),
    cohort: cell('cohort'),
    role: cell('role'),
    ...Object.fromEntries(given),
  };
}
