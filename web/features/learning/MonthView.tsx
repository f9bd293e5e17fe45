import { Stack, Title } from '@mantine/core';
import type { CalendarActivity } from '#contract/learning.ts';
import { ActivityRows } from './ActivityList.tsx';
import { areOfSeveralCohorts } from './activity-state.ts';
import type { CalendarPlace } from './calendar-place.ts';
import { MonthGrid } from './MonthGrid.tsx';
import { inOrderOfDay } from './month-days.ts';
import { SmallMonth } from './SmallMonth.tsx';

interface MonthViewProps {
  activities: CalendarActivity[];
  /** The program's day, `YYYY-MM-DD`. */
  today: string;
  place: Pick<CalendarPlace, 'month' | 'day'>;
  isFiltered: boolean;
  isPhone: boolean;
  onChange: (changes: Partial<CalendarPlace>) => void;
}

export function MonthView({ activities, today, place, isFiltered, isPhone, onChange }: MonthViewProps) {
  const byDay = byDayOf(activities);
  const undated = byDay.get(null) ?? [];
  const month = place.month ?? monthToOpen(activities, today, isFiltered);
  const onMonth = (shown: string) => onChange({ month: shown, day: undefined });
  return (
    <Stack gap="lg">
      {isPhone ? (
        <SmallMonth
          byDay={byDay}
          today={today}
          month={month}
          day={place.day}
          onMonth={onMonth}
          onDay={(day) => onChange({ month, day })}
        />
      ) : (
        <MonthGrid
          byDay={byDay}
          today={today}
          month={month}
          namesCohorts={areOfSeveralCohorts(activities)}
          onMonth={onMonth}
        />
      )}
      {undated.length > 0 ? (
        <Stack gap="sm" component="section" aria-label="Not scheduled">
          <Title order={2}>Not scheduled</Title>
          <ActivityRows activities={undated} />
        </Stack>
      ) : null}
    </Stack>
  );
}

function byDayOf(activities: CalendarActivity[]): Map<string | null, CalendarActivity[]> {
  const byDay = Map.groupBy(activities, ({ sessionDate }) => sessionDate);
  for (const [day, ofDay] of byDay) byDay.set(day, inOrderOfDay(ofDay));
  return byDay;
}

/** Opens this month. If filters match nothing this month, opens the month of their first match. */
function monthToOpen(activities: { sessionDate: string | null }[], today: string, isFiltered: boolean): string {
  const thisMonth = today.slice(0, 7);
  const months = activities.flatMap(({ sessionDate }) => sessionDate?.slice(0, 7) ?? []).sort();
  if (!isFiltered || months.includes(thisMonth)) return thisMonth;
  return months[0] ?? thisMonth;
}
