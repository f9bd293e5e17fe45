import Papa from 'papaparse';
import type { BulkRecord } from '#contract/functions.ts';
import {
  bulkColumns,
  bulkLimits,
  bulkMessages,
  type ImportableCohort,
  optionalBulkColumns,
  recordErrors,
} from '#contract/imports.ts';

/** A record with the row it has in the file as a spreadsheet counts it: the header is row 1. */
export interface FileRecord {
  row: number;
  record: BulkRecord;
}

export interface PeopleFile {
  filename: string;
  records: FileRecord[];
  validRecords: FileRecord[];
  /** In file order, every message of every row (BULK-25). */
  errors: { row: number; message: string }[];
}

/** Why a file can't be used at all, as the notice says it. */
export interface FileProblem {
  title: string;
  message: string;
}

type Columns = Map<keyof BulkRecord, number>;

const delimiters = [',', ';', '\t'];
const parseErrorTitle = 'File Parse Error';

/** What is wrong with a file before it is read (BULK-03 to BULK-05). */
export function fileProblem(file: File): FileProblem | null {
  if (!/\.csv$/i.test(file.name) && file.type !== 'text/csv') {
    return { title: 'Invalid File Type', message: 'Please select a CSV file' };
  }
  if (file.size > bulkLimits.bytes) return { title: 'File Too Large', message: 'File size must be less than 5MB' };
  return null;
}

/** UTF-8, UTF-16 with its mark, or else the Windows encoding that spreadsheet programs still write. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  return new TextDecoder('windows-1252').decode(bytes);
}

/** Reads and checks the people of a file (BULK-06 to BULK-29). */
export function parsePeople(text: string, filename: string, cohorts: ImportableCohort[]): PeopleFile | FileProblem {
  const lines = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const { data, errors } = Papa.parse<string[]>(lines, { delimiter: findDelimiter(lines), newline: '\n' });
  const [brokenQuote] = errors.filter(({ type }) => type === 'Quotes');
  if (brokenQuote) return parseError(`Row ${(brokenQuote.row ?? 0) + 1}: ${brokenQuote.message}`);

  const [header, ...rows] = data
    .map((cells, index) => ({ row: index + 1, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (!header) return parseError(bulkMessages.empty);
  const columns = findColumns(header.cells);
  const missing = bulkColumns.filter((column) => !columns.has(column));
  if (missing.length > 0) return parseError(`Missing required columns: ${missing.join(', ')}`);
  if (rows.length === 0) return parseError(bulkMessages.empty);
  if (rows.length > bulkLimits.records) return { title: 'Too Many Records', message: bulkMessages.tooMany };

  const checked = rows.map(({ row, cells }) => {
    const record = readRecord(cells, columns);
    return { row, record, messages: recordErrors(record, cohorts) };
  });
  return {
    filename,
    records: checked.map(({ row, record }) => ({ row, record })),
    validRecords: checked.filter(({ messages }) => messages.length === 0).map(({ row, record }) => ({ row, record })),
    errors: checked.flatMap(({ row, messages }) => messages.map((message) => ({ row, message }))),
  };
}

function parseError(message: string): FileProblem {
  return { title: parseErrorTitle, message };
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

/** The one that makes most of the header's cells known columns; a comma where it is undecided. */
function findDelimiter(lines: string): string {
  const header = /^.*[\p{L}\d].*$/mu.exec(lines)?.[0] ?? '';
  const known = (delimiter: string) => findColumns(Papa.parse<string[]>(header, { delimiter }).data[0] ?? []).size;
  return delimiters.reduce((best, delimiter) => (known(delimiter) > known(best) ? delimiter : best));
}

/** Columns are found by name, in any order and letter case; of two with one name the first counts (BULK-11). */
function findColumns(header: string[]): Columns {
  const names = header.map((cell) => cell.trim().toLowerCase());
  const known = [...bulkColumns, ...optionalBulkColumns].map((column) => [column, names.indexOf(column)] as const);
  return new Map(known.filter(([, position]) => position >= 0));
}

function readRecord(cells: string[], columns: Columns): BulkRecord {
  const cell = (column: keyof BulkRecord) => cells[columns.get(column) ?? -1] ?? '';
  return {
    first_name: cell('first_name'),
    last_name: cell('last_name'),
    email: cell('email'),
    program: cell('program'),
    cohort: cell('cohort'),
    role: cell('role'),
    ...(cell('track_type') ? { track_type: cell('track_type') } : {}),
    ...(cell('coach_email') ? { coach_email: cell('coach_email') } : {}),
  };
}
