import Papa from 'papaparse';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readImport } from '#contract/import-results.ts';

export type ImportDetail = ResponseOf<typeof readImport>;
/** From the position among the records to the row that a spreadsheet shows. */
export type RowOf = (position: number) => number;

/** Where the file itself is no longer at hand: the header is row 1, and blank rows are not counted. */
export const rowBelowHeader: RowOf = (position) => position + 1;

export function errorReportCsv(report: ImportDetail['errorReport'], rowOf: RowOf): string {
  const lines = report.map(({ row, email, error }) => ({ row: rowOf(row), email, error }));
  // Cells that a spreadsheet program would run as a formula are written as text.
  return Papa.unparse({ fields: ['row', 'email', 'error'], data: lines }, { escapeFormulae: true });
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
