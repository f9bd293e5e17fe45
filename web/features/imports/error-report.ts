import Papa from 'papaparse';
import { startsLikeFormula } from '#contract/csv.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readImport } from '#contract/import-results.ts';

export type ImportDetail = ResponseOf<typeof readImport>;

export interface ReportedRow {
  row: number;
  email: string;
  error: string;
}

/** A file of rows with what is wrong with each. */
export function downloadErrors(filename: string, rows: ReportedRow[]): void {
  downloadText(`errors-${filename}`, errorReportCsv(rows));
}

export function errorReportCsv(rows: ReportedRow[]): string {
  const lines = rows.map(({ row, email, error }) => ({ row, email, error }));
  // Cells that a spreadsheet program would run as a formula are written as text.
  return Papa.unparse({ fields: ['row', 'email', 'error'], data: lines }, { escapeFormulae: startsLikeFormula });
}

export function downloadText(filename: string, text: string): void {
  // With a byte order mark, or spreadsheet programs read other letters than were written.
  const address = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = filename;
  link.click();
  URL.revokeObjectURL(address);
}
