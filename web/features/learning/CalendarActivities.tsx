import { Alert, Button, Card, Stack } from '@mantine/core';
import { Info } from 'lucide-react';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readTrainingCalendar } from '#contract/learning.ts';
import { EmptyState } from '../../ui/states.tsx';
import { ActivityList } from './ActivityList.tsx';
import { type CalendarPlace, noFilters } from './calendar-place.ts';
import { MonthGrid } from './MonthGrid.tsx';

interface CalendarActivitiesProps {
  calendar: ResponseOf<typeof readTrainingCalendar>;
  view: 'calendar' | 'list';
  month: string | undefined;
  isFiltered: boolean;
  onChange: (changes: Partial<CalendarPlace>) => void;
}

export function CalendarActivities({ calendar, view, month, isFiltered, onChange }: CalendarActivitiesProps) {
  const { activities, today, currentWeek, hasMore } = calendar;
  if (activities.length === 0) {
    return (
      <Card>
        {isFiltered ? (
          <EmptyState
            title="No matching activities"
            action={
              <Button variant="default" onClick={() => onChange(noFilters)}>
                Clear filters
              </Button>
            }
          >
            No activity fits the chosen filters.
          </EmptyState>
        ) : (
          <EmptyState title="No training activities yet">
            Sessions of the programme appear here as soon as they are planned.
          </EmptyState>
        )}
      </Card>
    );
  }
  return (
    <Stack gap="md">
      {hasMore ? (
        <Alert color="indigo" icon={<Info size={18} aria-hidden />} radius="lg" title="Not everything is shown">
          These are the first {activities.length} activities. Choose a week or a module to see the others.
        </Alert>
      ) : null}
      {view === 'list' ? (
        <ActivityList activities={activities} currentWeek={currentWeek} />
      ) : (
        <MonthGrid
          activities={activities}
          today={today}
          month={month ?? monthToOpen(activities, today, isFiltered)}
          onMonth={(shown) => onChange({ month: shown })}
        />
      )}
    </Stack>
  );
}

/** This month; with filters the month of the first match, unless there is one this month too. */
function monthToOpen(activities: { sessionDate: string | null }[], today: string, isFiltered: boolean): string {
  const thisMonth = today.slice(0, 7);
  const months = activities.flatMap(({ sessionDate }) => sessionDate?.slice(0, 7) ?? []).sort();
  if (!isFiltered || months.includes(thisMonth)) return thisMonth;
  return months[0] ?? thisMonth;
}
