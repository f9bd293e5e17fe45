/*
 * What a stipend of any programme has to be, worked out a second time, day by day and event by event. It shares no code
 * with the product.
 */

export interface OracleProgramme {
  start: string;
  weeks: number;
  daysPerWeek: number;
  zone: string;
  payPeriod: 'week' | 'two_weeks' | 'month';
}

export interface OracleActivity {
  id: string;
  week: number;
  day: string | null;
  minutes: number | null;
  isInPerson: boolean;
}

export interface OraclePerson {
  /** Instants. */
  joined: string;
  left: string | null;
  attended: string[];
  excused: string[];
  rating: number | null;
}

export interface OracleRules {
  asks: { fact: string; limit: number }[];
  perPeriod: number;
  perDay: number;
  perHour: number;
  perTrip: number;
  byDays: boolean;
  byAttendance: boolean;
  cap: number | null;
}

const day = (text: string, more = 0) => {
  const date = new Date(`${text}T00:00:00.000Z`);
  date.setUTCDate(date.getUTCDate() + more);
  return date.toISOString().substring(0, 10);
};

/** Walks through every day of the programme and puts it into the period that pays for it. */
export function daysOfPeriods({ start, weeks, daysPerWeek, payPeriod }: OracleProgramme): string[][] {
  const periods: string[][] = [];
  const total = (weeks - 1) * 7 + daysPerWeek;
  const months: string[] = [];
  for (let n = 0; n < total; n++) {
    const date = day(start, n);
    const month = date.substring(0, 7);
    if (!months.includes(month)) months.push(month);
    const place = { week: Math.trunc(n / 7), two_weeks: Math.trunc(n / 14), month: months.indexOf(month) }[payPeriod];
    const days = periods[place] ?? [];
    periods[place] = days;
    // A week's stipend ends with the last day on which something can be held.
    const isBetween = n % 7 >= daysPerWeek;
    const isLastOfTwo = payPeriod === 'two_weeks' && (n % 14 >= 7 || Math.trunc(n / 7) === weeks - 1);
    if (isBetween && (payPeriod === 'week' || isLastOfTwo)) continue;
    days.push(date);
  }
  return periods;
}

const localDay = (instant: string, zone: string) => {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-US', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
      .formatToParts(new Date(instant))
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.year}-${parts.month}-${parts.day}`;
};

export function expectedStipend(
  programme: OracleProgramme,
  rules: OracleRules,
  taught: OracleActivity[],
  person: OraclePerson,
  number: number,
) {
  const days = daysOfPeriods(programme)[number - 1] ?? [];
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const joined = localDay(person.joined, programme.zone);
  const left = person.left && localDay(person.left, programme.zone);
  const belongs = ({ week, day: held }: OracleActivity) => {
    if (programme.payPeriod === 'week') return week === number;
    if (programme.payPeriod === 'two_weeks') return Math.ceil(week / 2) === number;
    const date = held ?? day(programme.start, 7 * (week - 1));
    const end = day(programme.start, 7 * programme.weeks - 1);
    const within = date < programme.start ? programme.start : date > end ? end : date;
    return within.substring(0, 7) === first.substring(0, 7);
  };
  const counting = taught.filter(belongs).filter(({ day: held }) => {
    if (joined <= last && held !== null && held < joined) return false;
    if (rules.byDays && left !== null && left <= last) return held !== null && held < left;
    return true;
  });
  const there = counting.filter(({ id }) => person.attended.includes(id));
  const open = counting.filter(({ id }) => !person.attended.includes(id) && !person.excused.includes(id)).length;
  let minutes = 0;
  for (const one of there) minutes += one.minutes ?? 0;
  const enrolled =
    days.length === 0 ? [] : spanOf(first, last).filter((one) => one >= joined && (left === null || one < left));
  const has: Record<string, number> = {
    attendanceShare: counting.length === 0 ? 100 : (100 * there.length) / counting.length,
    sessionsAttended: there.filter((one) => one.day !== null).length,
    minutesAttended: minutes,
    hoursAttended: minutes / 60,
    daysEnrolled: enrolled.length,
    rating: person.rating ?? 0,
  };
  const isMet = rules.asks.every(({ fact, limit }) => {
    if (fact === 'absences') return counting.length - there.length <= limit;
    if (fact === 'unexcusedAbsences') return open <= limit;
    return (has[fact] ?? 0) + 1e-9 >= limit;
  });
  const isMember = left === null || left > (rules.byDays ? first : last);
  let share = 1;
  if (rules.byDays) share *= enrolled.length / spanOf(first, last).length;
  if (rules.byAttendance && counting.length > 0) share *= (counting.length - open) / counting.length;
  const heldDays = new Set(there.flatMap((one) => one.day ?? []));
  const sum =
    Math.round(rules.perPeriod * share) +
    heldDays.size * rules.perDay +
    Math.round((minutes * rules.perHour) / 60) +
    there.filter((one) => one.isInPerson).length * rules.perTrip;
  return { isEligible: isMember && isMet, cents: rules.cap === null ? sum : Math.min(sum, rules.cap) };
}

function spanOf(first: string, last: string): string[] {
  const days = [];
  for (let one = first; one <= last; one = day(one, 1)) days.push(one);
  return days;
}
