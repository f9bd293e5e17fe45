import { expect, test } from 'vitest';
import { signInRecordInWords } from './sign-in-records.ts';

const record = {
  id: '01a20757-23f8-7622-a13d-4d87603eb726',
  at: '2026-11-02T10:00:00.000Z',
  kind: 'refused_proof',
  way: 'mailed_code',
  device: 'Chrome on Windows',
  place: 'Germany',
  address: '198.51.100.7',
} as const;

test('a line of the list says what was done by which way, on what, where, and from which address', () => {
  expect(signInRecordInWords(record)).toEqual({
    id: record.id,
    at: record.at,
    title: 'Confirmation refused: code by email',
    note: 'Chrome on Windows · Germany (198.51.100.7)',
  });
  const end = { ...record, kind: 'end', way: null, address: null } as const;
  expect(signInRecordInWords(end)).toMatchObject({ title: 'Session ended', note: 'Chrome on Windows · Germany' });
});
