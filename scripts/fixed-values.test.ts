import { expect, test } from 'vitest';
import { findFixedValues } from './fixed-value-rules.ts';

const specified = {
  ...{ weeks: 16, limits: [80, 3], cents: 50_000, zone: 'America/New_York' },
  moduleNames: ['Career Center', 'Policy (Safety, Justice, and Incentives)'],
};

test.each([
  ["const zone = 'America/New_York';", 'its zone'],
  ["const first = 'Policy (Safety, Justice, and Incentives)';", 'one of its modules'],
  ['const weeks = 16;', 'its length'],
  ['if (weekNumber > 16) return;', 'its length'],
  ['<Text>across all 16 weeks</Text>', 'its length'],
  ['const usualCents = 50_000;', 'its pay'],
  ["const words = 'Pays $500 a week';", 'its pay'],
  ['if (attendanceShare >= 80) return;', 'one of its limits'],
  ['<Text>at least 80% attended</Text>', 'one of its limits'],
  ['<Text>a rating of at least 3.0</Text>', 'one of its limits'],
])('%s is refused as %s', (source, what) => {
  expect(findFixedValues(source, specified)).toEqual([expect.stringContaining(what)]);
});

test.each([
  'const width = 80;',
  'const salt = randomBytes(16);',
  'contentText: z.string().max(50_000)',
  '/** All 16 weeks of America/New_York. */',
  'const weeks = 26;',
  "const words = 'Pays $5,000 a week';",
])('%s is nobody’s but its own', (source) => {
  expect(findFixedValues(source, specified)).toEqual([]);
});
