import { expect, test } from 'vitest';
import type { TrainingActivity } from '#contract/training-activities.ts';
import { allUnder, countOf, isChosen, nothingChosen, selectionOf, toggled, underFilters } from './activity-choice.ts';

function activity(id: string): TrainingActivity {
  return {
    id,
    title: id,
    deliveryPartner: null,
    trainingDeliveryMode: null,
    deliveryMedium: null,
    weekNumber: 1,
    location: null,
    duration: null,
    sessionDate: null,
    moduleName: null,
    cohortId: null,
    cohortName: null,
    reachedCount: 0,
    version: 0,
  };
}

test('TRAIN-07 activities are chosen one by one, and taken out again', () => {
  const two = toggled(toggled(nothingChosen, activity('a')), activity('b'));
  expect([isChosen(two, 'a'), isChosen(two, 'b'), isChosen(two, 'c')]).toEqual([true, true, false]);
  expect(countOf(two, 5000)).toBe(2);
  const one = toggled(two, activity('a'));
  expect(selectionOf(one)).toEqual({ ids: ['b'] });
});

test('TRAIN-07 all means what the filters leave, without those that were taken out, and nothing that they hide', () => {
  const filters = { week: 3 };
  const all = allUnder(filters);
  expect(countOf(all, 5000)).toBe(5000);
  const without = toggled(toggled(toggled(all, activity('a')), activity('b')), activity('a'));
  expect([isChosen(without, 'a'), isChosen(without, 'b')]).toEqual([true, false]);
  expect(countOf(without, 5000)).toBe(4999);
  expect(selectionOf(without)).toEqual({ filters, except: ['b'] });
  expect(underFilters(without, { week: 3 })).toBe(without);
  expect(countOf(underFilters(without, { week: 4 }), 5000)).toBe(0);
});
