import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sizeOf } from '#test/support/depth.ts';
import { specifiedRules } from './default-programme.ts';
import { notCounted, type WeekFacts } from './stipend-facts.ts';
import { type Amounts, amountFor, isAmountUnusual, RuleSet } from './stipend-rules.ts';

const nothing: Amounts = {
  perPeriodCents: 0,
  perDayCents: 0,
  perHourCents: 0,
  perTripCents: 0,
  isProratedByDays: false,
  isProratedByAttendance: false,
  capCents: null,
};
const week: WeekFacts = {
  ...notCounted,
  activitiesTotal: 4,
  activitiesAccessed: 3,
  unexcusedAbsences: 1,
  assignmentsTotal: 0,
  assignmentsSubmitted: 0,
  assignmentsUntouched: 0,
  rating: 3,
  minutesAttended: 100,
  daysAttended: 3,
  trips: 2,
  daysInPeriod: 5,
  daysEnrolled: 4,
};
const pays = (amounts: Partial<Amounts>, facts: Partial<WeekFacts> = {}) =>
  amountFor({ ...week, ...facts }, { ...specifiedRules, amounts: { ...nothing, ...amounts } });

test('an amount is the sum of its lines, and what brings nothing is no line', () => {
  expect(pays({ perPeriodCents: 50_000 })).toEqual({
    cents: 50_000,
    lines: [{ name: 'Period', count: null, cents: 50_000 }],
  });
  expect(pays({ perPeriodCents: 10_000, perDayCents: 1_500, perHourCents: 1_001, perTripCents: 250 })).toEqual({
    cents: 16_668,
    lines: [
      { name: 'Period', count: null, cents: 10_000 },
      { name: 'Days', count: 3, cents: 4_500 },
      { name: 'Hours', count: 100 / 60, cents: 1_668 },
      { name: 'Trips', count: 2, cents: 500 },
    ],
  });
  expect(pays({})).toEqual({ cents: 0, lines: [] });
});

test('the cap takes off what is above it, in a line of its own', () => {
  const cap = { name: 'Most that is paid', count: null, cents: -1 };
  const days = { name: 'Days', count: 3, cents: 300 };
  expect(pays({ perDayCents: 100, capCents: 299 })).toEqual({ cents: 299, lines: [days, cap] });
  expect(pays({ perDayCents: 100, capCents: 300 })).toEqual({ cents: 300, lines: [days] });
  expect(pays({ perDayCents: 100, capCents: 301 })).toEqual({ cents: 300, lines: [days] });
  expect(pays({ perDayCents: 100, capCents: 0 }).cents).toBe(0);
});

test('a part of the period pays its share of days and of activities, rounded to whole cents', () => {
  const byDays = { perPeriodCents: 1_001, isProratedByDays: true };
  const byAttendance = { perPeriodCents: 1_001, isProratedByAttendance: true };
  expect(pays(byDays).cents).toBe(801);
  expect(pays(byAttendance).cents).toBe(751);
  expect(pays({ ...byDays, ...byAttendance }).cents).toBe(601);
  expect(pays({ perPeriodCents: 1_001 }).cents).toBe(1_001);
  // Half a cent goes up.
  expect(pays({ perPeriodCents: 5, isProratedByDays: true }, { daysInPeriod: 2, daysEnrolled: 1 }).cents).toBe(3);
});

test('a period without days or activities is paid whole', () => {
  expect(pays({ perPeriodCents: 900, isProratedByDays: true }, { daysInPeriod: 0, daysEnrolled: 0 }).cents).toBe(900);
  const noActivities = { activitiesTotal: 0, unexcusedAbsences: 0 };
  expect(pays({ perPeriodCents: 900, isProratedByAttendance: true }, noActivities).cents).toBe(900);
});

const cents = fc.integer({ min: 0, max: 1_000_000 });
const randomAmounts = fc.record<Amounts>({
  perPeriodCents: cents,
  perDayCents: cents,
  perHourCents: cents,
  perTripCents: cents,
  isProratedByDays: fc.boolean(),
  isProratedByAttendance: fc.boolean(),
  capCents: fc.option(cents),
});
const randomFacts = fc
  .tuple(fc.nat(31), fc.nat(31), fc.nat(20), fc.nat(20), fc.nat(31), fc.nat(6_000), fc.nat(20))
  .map(([enrolled, out, missed, others, daysAttended, minutesAttended, trips]) => ({
    ...{ daysEnrolled: enrolled, daysInPeriod: enrolled + out, daysAttended, minutesAttended, trips },
    ...{ unexcusedAbsences: missed, activitiesTotal: missed + others },
  }));

test('random amounts are whole cents, never above the cap, and never more than a second calculation plus half a cent a line', () => {
  fc.assert(
    fc.property(randomAmounts, randomFacts, (amounts, facts) => {
      const { cents: paid, lines } = pays(amounts, facts);
      expect(paid).toBe(lines.reduce((sum, line) => sum + line.cents, 0));
      expect(lines.map((line) => Number.isInteger(line.cents))).not.toContain(false);
      const share = (isOn: boolean, part: number, whole: number) => (isOn && whole > 0 ? part / whole : 1);
      const exact =
        amounts.perPeriodCents *
          share(amounts.isProratedByDays, facts.daysEnrolled, facts.daysInPeriod) *
          share(
            amounts.isProratedByAttendance,
            facts.activitiesTotal - facts.unexcusedAbsences,
            facts.activitiesTotal,
          ) +
        amounts.perDayCents * facts.daysAttended +
        amounts.perHourCents * (facts.minutesAttended / 60) +
        amounts.perTripCents * facts.trips;
      expect(Math.abs(paid - Math.min(exact, amounts.capCents ?? Number.POSITIVE_INFINITY))).toBeLessThan(1.001);
    }),
    { numRuns: sizeOf({ usual: 300, deep: 20_000 }) },
  );
});

test('twice what the rules pay is usual, a cent above it is not', () => {
  expect([isAmountUnusual(100_000, 50_000), isAmountUnusual(100_001, 50_000)]).toEqual([false, true]);
  expect([isAmountUnusual(0, 0), isAmountUnusual(1, 0)]).toEqual([false, true]);
});

test('amounts are whole cents from nothing to 100,000 dollars, and none is left out', () => {
  const isValid = (amounts: unknown) => RuleSet.safeParse({ ...specifiedRules, amounts }).success;
  expect(isValid({ ...nothing, perPeriodCents: 10_000_000, capCents: 0 })).toBe(true);
  for (const wrong of [10_000_001, -1, 0.5])
    expect(isValid({ ...nothing, perHourCents: wrong }), `${wrong}`).toBe(false);
  for (const name of Object.keys(nothing)) expect(isValid({ ...nothing, [name]: undefined }), name).toBe(false);
});
