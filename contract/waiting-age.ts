import { z } from 'zod';

/** How long something waits, from the shortest to the longest. Figures and lists ask here. */
export const waitingAges = ['underOneDay', 'underThreeDays', 'underSevenDays', 'fromSevenDays'] as const;
export const WaitingAge = z.enum(waitingAges);
export type WaitingAge = z.infer<typeof WaitingAge>;

export const waitingAgeLabels: Record<WaitingAge, string> = {
  underOneDay: 'Less than 1 day',
  underThreeDays: '1 to 2 days',
  underSevenDays: '3 to 6 days',
  fromSevenDays: '7 days or more',
};

/** Days of 24 hours. Null means without an end. */
export const daysOfAge: Record<WaitingAge, { from: number | null; until: number | null }> = {
  underOneDay: { from: null, until: 1 },
  underThreeDays: { from: 1, until: 3 },
  underSevenDays: { from: 3, until: 7 },
  fromSevenDays: { from: 7, until: null },
};

export const CountsByAge = z.record(WaitingAge, z.number().int());
export type CountsByAge = z.infer<typeof CountsByAge>;
