import { Button, SegmentedControl, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { CalendarSync } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { readTrainingCalendar, type TrainingCalendar } from '#contract/learning.ts';
import { zoneName } from '#contract/moments.ts';
import { zoneInWords } from '#contract/zones.ts';
import { messageOf } from '../../api/api-error.ts';
import { queryFor } from '../../api/query-for.ts';
import { useSignedInUser } from '../../api/session.ts';
import { shownZone } from '../../api/shown-zone.ts';
import { useIsPhone } from '../../ui/FilterBar.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { showToast } from '../../ui/toast.tsx';
import { CalendarActivities } from './CalendarActivities.tsx';
import { CalendarFilters } from './CalendarFilters.tsx';
import { CalendarSubscription } from './CalendarSubscription.tsx';
import { useCalendarPlace } from './calendar-place.ts';

const views = [
  { value: 'calendar', label: 'Calendar' },
  { value: 'list', label: 'List' },
];

const noChoice = { audiences: [], modules: [] };

export function TrainingCalendarPage() {
  const { role } = useSignedInUser();
  const { place, change } = useCalendarPlace();
  const subscribe = useRef<HTMLButtonElement>(null);
  const isPhone = useIsPhone();
  const view = place.view ?? (isPhone ? 'list' : 'calendar');
  const { search, week, module } = place;
  const programme = role === 'admin' ? place.programme : undefined;
  // The month matters only if there are more activities than one answer holds.
  const around = role !== 'participant' && view === 'calendar' && place.month ? `${place.month}-15` : undefined;
  const calendar = useQuery({
    ...queryFor(readTrainingCalendar, { query: { search, week, module, programme, around } }),
    placeholderData: keepPreviousData,
  });
  const isFiltered = Boolean(search || week || module || programme);
  const isWithoutAny = calendar.data?.activities.length === 0 && !isFiltered && !calendar.isPlaceholderData;
  useEffect(() => {
    if (isWithoutAny) showToast({ type: 'warning', title: 'No Training Activities' });
  }, [isWithoutAny]);

  return (
    <>
      <PageHeader title="Training Calendar" lead={leadFor(calendar.data)}>
        <Button
          ref={subscribe}
          variant="default"
          leftSection={<CalendarSync size={16} aria-hidden />}
          onClick={() => change({ dialog: 'subscribe' })}
        >
          Subscribe
        </Button>
        <SegmentedControl
          data={views}
          value={view}
          onChange={(chosen) => change({ view: chosen === 'list' ? 'list' : 'calendar' })}
          aria-label="View"
        />
      </PageHeader>
      <Stack gap="md">
        <CalendarFilters
          place={place}
          currentWeek={calendar.data?.currentWeek ?? null}
          offered={calendar.data ?? noChoice}
          onChange={change}
        />
        <Loaded
          read={calendar}
          failure={{
            title: 'Failed to load training calendar data',
            words: `Failed to load training activities: ${messageOf(calendar.error)}`,
          }}
          loading={{ label: 'Loading activities', rows: 8 }}
        >
          {(data) => (
            <CalendarActivities
              calendar={data}
              view={view}
              place={place}
              isFiltered={isFiltered}
              isPhone={isPhone}
              isWithoutCohort={role === 'participant' && data.currentWeek === null}
              onChange={change}
            />
          )}
        </Loaded>
      </Stack>
      <CalendarSubscription
        isOpen={place.dialog === 'subscribe'}
        onClose={() => {
          change({ dialog: undefined }, { replace: true });
          subscribe.current?.focus();
        }}
      />
    </>
  );
}

type LeadFacts = Pick<TrainingCalendar, 'currentWeek' | 'activities'>;

function leadFor({ currentWeek, activities }: LeadFacts = { currentWeek: null, activities: [] }): string {
  const shown = shownZone();
  const words = `${zoneInWords(shown, new Date())} (${zoneName(shown, new Date())})`;
  const hasOtherZone = activities.some(({ sessionTime, zone }) => sessionTime && zone !== shown);
  const zone = hasOtherZone ? `Times are ${words} unless they name another zone.` : `All times are ${words}.`;
  return currentWeek === null ? zone : `It is week ${currentWeek} of your program. ${zone}`;
}
