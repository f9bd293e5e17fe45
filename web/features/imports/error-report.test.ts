import { expect, test } from 'vitest';
import { errorReportCsv } from './error-report.ts';

test('a report of errors runs no formula in the spreadsheet that opens it', () => {
  const rows = [
    { row: 2, email: '=HYPERLINK("http://bad.example")', error: 'Invalid email format' },
    { row: 3, email: '+1', error: '@SUM(A1)' },
    { row: 4, email: '-1', error: '\tcmd' },
    { row: 5, email: 'ann@people.example', error: 'Email, "quoted"' },
  ];
  expect(errorReportCsv(rows).split('\r\n')).toEqual([
    'row,email,error',
    `2,"'=HYPERLINK(""http://bad.example"")",Invalid email format`,
    `3,"'+1","'@SUM(A1)"`,
    `4,"'-1","'\tcmd"`,
    '5,ann@people.example,"Email, ""quoted"""',
  ]);
});
