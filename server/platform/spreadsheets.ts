import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import Papa from 'papaparse';
import { startsLikeFormula } from '#contract/csv.ts';

export type SpreadsheetFormat = 'csv' | 'xlsx';
type Cell = string | number | null;

export interface SpreadsheetColumn<Row> {
  header: string;
  /** The width in characters, for XLSX only. */
  width?: number;
  /** The way XLSX shows numbers, such as `0.00`. */
  numberFormat?: string;
  value: (row: Row) => Cell;
}

export interface Spreadsheet<Row> {
  /** The name without its ending. */
  fileName: string;
  sheetName: string;
  columns: SpreadsheetColumn<Row>[];
  batches: AsyncIterable<Row[]>;
}

/** Loads with the first export as XLSX. */
const loadXlsx = () => import('hucre/xlsx');

const mediaTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Reads on only as fast as the receiver takes it. Texts never run as formulas, and numbers stay numbers. */
export function sendSpreadsheet<Row>(reply: FastifyReply, format: SpreadsheetFormat, sheet: Spreadsheet<Row>) {
  return reply
    .type(mediaTypes[format])
    .header('content-disposition', `attachment; filename="${sheet.fileName}.${format}"`)
    .send(Readable.from(format === 'csv' ? csvParts(sheet) : xlsxParts(sheet)));
}

async function* csvParts<Row>({ columns, batches }: Spreadsheet<Row>): AsyncGenerator<string> {
  // Without this byte order mark, spreadsheet programs misread letters.
  yield `\ufeff${columns.map(({ header }) => header).join(',')}\r\n`;
  for await (const rows of batches) {
    if (rows.length === 0) continue;
    const cells = rows.map((row) => columns.map(({ value }) => value(row)));
    yield `${Papa.unparse(cells, { escapeFormulae: startsLikeFormula })}\r\n`;
  }
}

async function* xlsxParts<Row>({ sheetName, columns, batches }: Spreadsheet<Row>): AsyncGenerator<Uint8Array> {
  const { writeXlsxStream } = await loadXlsx();
  yield* writeXlsxStream(xlsxRows(columns, batches), {
    name: sheetName,
    columns: columns.map(({ header, width = 16, numberFormat }) => ({
      header,
      width,
      ...(numberFormat ? { numFmt: numberFormat } : {}),
    })),
    freezePane: { rows: 1 },
  });
}

async function* xlsxRows<Row>(columns: SpreadsheetColumn<Row>[], batches: AsyncIterable<Row[]>) {
  for await (const rows of batches) {
    for (const row of rows) yield columns.map(({ value }) => value(row));
  }
}
