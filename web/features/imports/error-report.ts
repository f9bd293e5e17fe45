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

/** Saves the rows as a file, each with its errors. */
export function downloadErrors(filename: string, rows: ReportedRow[]): void {
  downloadText(`errors-${filename}`, errorReportCsv(rows));
}

export function errorReportCsv(rows: ReportedRow[]): string {
  const lines = rows.map(({ row, email, error }) => ({ row, email, error }));
  // A spreadsheet program would run some cells as formulas. They are written as text.
  return Papa.unparse({ fields: ['row', 'email', 'error'], data: lines }, { escapeFormulae: startsLikeFormula });
}

export function downloadText(filename: string, text: string): void {
  // Without a byte order mark, spreadsheet programs misread some letters.
  const address = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = filename;
  link.click();
  URL.revokeObjectURL(address);
}
