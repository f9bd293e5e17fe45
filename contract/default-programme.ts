import { houseZone } from './house-zone.ts';
import type { ProgrammeCalendar } from './pay-periods.ts';
import type { RuleSet } from './stipend-rules.ts';
import { weeksBeyond } from './weeks.ts';

/** The specified programme. The database has the same, and a test compares them. Other programmes are rows like it. */
export const defaultProgrammeId = '00000000-0000-7000-8000-000000000001';

export const specifiedCalendar: ProgrammeCalendar = {
  // TIME-06
  weeks: 16,
  daysPerWeek: 5,
  zone: houseZone,
  payPeriod: 'week',
  // TIME-08 names these two.
  holidays: { federal: true, own: [], marked: ['Thanksgiving', 'Christmas'] },
};

export const defaultUnlockedWeeks = 5;

/** CAL-02: filters of activities offer more weeks than the programme has. */
export const usualActivityWeeks = specifiedCalendar.weeks + weeksBeyond;

export const specifiedRules: RuleSet = {
  version: 1,
  name: 'Specified rules',
  criteria: [
    // STIP-31
    { name: 'Attendance', fact: 'attendanceShare', limit: 80 },
    { name: 'Assignments', fact: 'workHandedIn', limit: 100 },
    // STIP-33
    { name: 'Performance', fact: 'rating', limit: 3 },
  ],
  amounts: {
    perPeriodCents: 50_000,
    perDayCents: 0,
    perHourCents: 0,
    perTripCents: 0,
    isProratedByDays: false,
    isProratedByAttendance: false,
    capCents: null,
  },
};
