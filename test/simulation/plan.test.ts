import { expect, test } from 'vitest';
import { acts } from './acts.ts';
import { planDay } from './plan.ts';

const term = { days: 112, people: 200 };

function wholeTerm(seed: number) {
  return Array.from({ length: term.days }, (_, day) => planDay(seed, day, term)).flat();
}

test('a seed names the order of acts and faults, and another seed another one', () => {
  expect(wholeTerm(1)).toEqual(wholeTerm(1));
  expect(wholeTerm(2)).not.toEqual(wholeTerm(1));
});

test('a term has every act, and every fault of a request and of a turn', () => {
  const turns = wholeTerm(1);
  const steps = turns.flatMap((turn) => turn.steps);
  expect(new Set(steps.map(({ act }) => act))).toEqual(new Set(Object.keys(acts)));
  expect(new Set(steps.map(({ fault }) => fault))).toEqual(
    new Set(['none', 'cut', 'cutForGood', 'killed', 'commitFails', 'doneTwice']),
  );
  expect(new Set(turns.map(({ fault }) => fault))).toEqual(
    new Set([
      ...['none', 'databaseKilled', 'databaseFrozen', 'clockBack', 'clockAhead', 'storageNotReady', 'mailsFail'],
      ...['receiverFails', 'processStopped'],
    ]),
  );
});

test('the turns of a day follow each other between 8 AM and 8 PM', () => {
  const minutes = planDay(1, 4, term).map(({ minute }) => minute);
  expect(minutes).toEqual(minutes.toSorted((one, other) => one - other));
  expect([minutes[0], minutes.at(-1)]).toEqual([480, expect.toSatisfy((last: number) => last < 1_200)]);
});
