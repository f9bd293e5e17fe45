import { Alert, Button, Card, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Info } from 'lucide-react';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readTrainingCalendar } from '#contract/learning.ts';
import { paths } from '../../app/paths.ts';
import { EmptyState } from '../../ui/states.tsx';
import { ActivityList } from './ActivityList.tsx';
import { type CalendarPlace, noFilters } from './calendar-place.ts';
import { FoldedList } from './FoldedList.tsx';
import { MonthView } from './MonthView.tsx';

interface CalendarActivitiesProps {
  calendar: ResponseOf<typeof readTrainingCalendar>;
  view: 'calendar' | 'list';
  place: CalendarPlace;
  isFiltered: boolean;
  isPhone: boolean;
  /** The person is a participant of no active cohort. */
  isWithoutCohort: boolean;
  onChange: (changes: Partial<CalendarPlace>) => void;
}

export function CalendarActivities({
  calendar,
  view,
  place,
  isFiltered,
  isPhone,
  isWithoutCohort,
  onChange,
}: CalendarActivitiesProps) {
  const { activities, today, hasMore } = calendar;
  const isNarrowed = Boolean(place.search || place.week || place.module);
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
            No activity matches your filters.
          </EmptyState>
        ) : (
          <NothingPlanned isWithoutCohort={isWithoutCohort} />
        )}
      </Card>
    );
  }
  return (
    <Stack gap="md">
      {hasMore ? (
        <Alert color="indigo" icon={<Info size={18} aria-hidden />} radius="lg" title="Not everything is shown">
          These are the {activities.length.toLocaleString('en-US')} activities nearest to{' '}
          {view === 'calendar' ? 'this month' : 'today'}. Choose a week or a module to see the others.
        </Alert>
      ) : null}
      {view === 'calendar' ? (
        <MonthView
          activities={activities}
          today={today}
          place={place}
          isFiltered={isFiltered}
          isPhone={isPhone}
          onChange={onChange}
        />
      ) : isNarrowed ? (
        <ActivityList activities={activities} weeks={calendar} />
      ) : (
        <FoldedList activities={activities} weeks={calendar} place={place} onChange={onChange} />
      )}
    </Stack>
  );
}

function NothingPlanned({ isWithoutCohort }: { isWithoutCohort: boolean }) {
  if (!isWithoutCohort) {
    return (
      <EmptyState title="No training activities yet">
        Sessions of the program appear here as soon as they are planned.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No training activities yet"
      action={
        <Button component={Link} to={paths.dashboard} variant="default">
          See what happens next
        </Button>
      }
    >
      You are not in an active cohort. As soon as the program team enrolls you, your activities show here.
    </EmptyState>
  );
}
