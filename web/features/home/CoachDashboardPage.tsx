import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { usePart } from '../../ui/use-part.ts';
import { CoachOverview } from './CoachOverview.tsx';

/** Four tabs fit side by side on a phone. */
const padding = { base: 7, xs: 'md' };
const tabs = ['overview', 'booking', 'sessions', 'ratings'] as const;
const Search = z.object({ tab: z.enum(tabs).optional().catch(undefined), ratingWeek: z.unknown().optional() });

/** COACH-01, COACH-02 */
export function CoachDashboardPage() {
  const place = Search.parse(useSearch({ strict: false }));
  // The address of a week to rate needs no tab.
  const tab = place.tab ?? (place.ratingWeek === undefined ? 'overview' : 'ratings');
  const navigate = useNavigate();
  const show = (next: string | null) =>
    void navigate({
      to: '.',
      search: (previous: object) => ({ ...previous, tab: next ?? 'overview', ratingWeek: undefined }),
      resetScroll: false,
    });
  return (
    <>
      <PageHeader title="Coach Dashboard" lead="Who needs you today." />
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List mb="lg">
          <Tabs.Tab value="overview" px={padding}>
            Overview
          </Tabs.Tab>
          <Tabs.Tab value="booking" px={padding}>
            Booking Setup
          </Tabs.Tab>
          <Tabs.Tab value="sessions" px={padding}>
            Sessions
          </Tabs.Tab>
          <Tabs.Tab value="ratings" px={padding}>
            Ratings
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="overview">
          <CoachOverview />
        </Tabs.Panel>
        <Tabs.Panel value="booking">
          <BookingTab />
        </Tabs.Panel>
        <Tabs.Panel value="sessions">
          <SessionsTab />
        </Tabs.Panel>
        <Tabs.Panel value="ratings">
          <RatingsTab />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function BookingTab() {
  const part = usePart('booking setup', () => import('../coaching/BookingSetup.tsx'));
  return (
    <Loaded read={part} failure="This could not be loaded" loading={{ label: 'Loading', rows: 4 }}>
      {({ BookingSetup }) => <BookingSetup />}
    </Loaded>
  );
}

function SessionsTab() {
  const part = usePart("a coach's sessions", () => import('../coaching/CoachSessions.tsx'));
  return (
    <Loaded read={part} failure="This could not be loaded" loading={{ label: 'Loading', rows: 4 }}>
      {({ CoachSessions }) => <CoachSessions />}
    </Loaded>
  );
}

function RatingsTab() {
  const part = usePart('weekly ratings', () => import('../coaching/WeeklyRatings.tsx'));
  return (
    <Loaded read={part} failure="This could not be loaded" loading={{ label: 'Loading', rows: 6 }}>
      {({ WeeklyRatings }) => <WeeklyRatings />}
    </Loaded>
  );
}
