import { formatCents } from '#contract/money.ts';
import type { PayPeriod } from '#contract/pay-periods.ts';
import { weekdays } from '#contract/programmes.ts';
import { measures, type RuleFact } from '#contract/stipend-facts.ts';
import type { Amounts } from '#contract/stipend-rules.ts';
import { optionsOf } from '../setup-words.ts';

export const payPeriodNames: Record<PayPeriod, string> = {
  week: 'Every week',
  two_weeks: 'Every two weeks',
  month: 'Every month',
};
export const payPeriodOptions = optionsOf(payPeriodNames);

const anyDay = 'any';
export const weekdayOptions = [
  { value: anyDay, label: 'Any day' },
  ...weekdays.map((label, day) => ({ value: String(day), label })),
];
export const toWeekday = (value: string) => (value === anyDay || value === '' ? null : Number(value));
export const fromWeekday = (weekday: number | null) => (weekday === null ? anyDay : String(weekday));

export const zoneOptions = [...Intl.supportedValuesOf('timeZone'), 'UTC'].map((value) => ({
  value,
  label: value.replaceAll('_', ' '),
}));

export const factOptions = (Object.keys(measures) as RuleFact[]).map((value) => ({
  value,
  label: measures[value].label,
}));

const units = { percent: '%', count: '', hours: 'hours', minutes: 'minutes', days: 'days', rating: 'of 5' } as const;

/** 'at least, %' */
export function limitLabel(fact: RuleFact): string {
  const { asks, unit } = measures[fact];
  const words = asks === 'at least' ? 'At least' : 'At most';
  return units[unit] ? `${words} (${units[unit]})` : words;
}

/** '$400 every two weeks, $50 a trip, at most $600' */
export function amountsInWords(amounts: Amounts, payPeriod: PayPeriod): string {
  const { perPeriodCents, perDayCents, perHourCents, perTripCents, capCents } = amounts;
  const parts = [
    ...(perPeriodCents > 0 ? [`${formatCents(perPeriodCents)} ${payPeriodNames[payPeriod].toLowerCase()}`] : []),
    ...(perDayCents > 0 ? [`${formatCents(perDayCents)} a day attended`] : []),
    ...(perHourCents > 0 ? [`${formatCents(perHourCents)} an hour attended`] : []),
    ...(perTripCents > 0 ? [`${formatCents(perTripCents)} a trip`] : []),
    ...(amounts.isProratedByDays ? ['a share for who joins or leaves'] : []),
    ...(amounts.isProratedByAttendance ? ['a share for who misses activities'] : []),
    ...(capCents === null ? [] : [`at most ${formatCents(capCents)}`]),
  ];
  return parts.length === 0 ? 'Nothing is paid yet.' : `Pays ${parts.join(', ')}.`;
}
