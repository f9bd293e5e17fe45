import { expect, test } from 'vitest';
import { addDays, countsSince, readCounts, sharesOf } from './day-counts.ts';

const metrics = `# TYPE switchyard_requests_total counter
switchyard_requests_total{endpoint="readSession",status="200"} 12
switchyard_requests_total{endpoint="readSession",status="401"} 3
switchyard_requests_total{endpoint="file",status="304"} 7
switchyard_live_streams 2
`;

test('the requests of an endpoint are added up over their statuses', () => {
  expect(readCounts(metrics)).toEqual(
    new Map([
      ['readSession', 15],
      ['file', 7],
    ]),
  );
});

test('what did not change since is left out', () => {
  const before = readCounts(metrics);
  const after = new Map([...before, ['readSession', 20], ['sendMessage', 1]] as const);
  expect([...countsSince(before, after)]).toEqual([
    ['readSession', 5],
    ['sendMessage', 1],
  ]);
});

test('a day is multiplied by the people who have it, and its shares make a whole', () => {
  const all = addDays([
    { people: 30, counts: new Map([['readSession', 4]]) },
    {
      people: 2,
      counts: new Map([
        ['readSession', 20],
        ['listUsers', 5],
      ] as const),
    },
  ]);
  const shares = sharesOf(all);
  expect(shares.map(({ name, count }) => [name, count])).toEqual([
    ['readSession', 160],
    ['listUsers', 10],
  ]);
  expect(shares.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 10);
  expect(shares[0]?.share).toBeCloseTo(160 / 170, 10);
});
