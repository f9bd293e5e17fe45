import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { z } from 'zod';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { LoadingState } from '../../ui/states.tsx';
import { CoachOverview } from './CoachOverview.tsx';

const BookingSetup = lazy(async () => ({ default: (await import('../coaching/BookingSetup.tsx')).BookingSetup }));
const CoachSessions = lazy(async () => ({ default: (await import('../coaching/CoachSessions.tsx')).CoachSessions }));

const tabs = ['overview', 'booking', 'sessions'] as const;
const Search = z.object({ tab: z.enum(tabs).catch('overview').default('overview') });

/** COACH-01, COACH-02 */
export function CoachDashboardPage() {
  const { tab } = Search.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const show = (next: string | null) =>
    void navigate({
      to: '.',
      search: (previous: object) => ({ ...previous, tab: next ?? 'overview' }),
      resetScroll: false,
    });
  return (
    <>
      <PageHeader title="Coach Dashboard" lead="Who needs you today." />
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List mb="lg">
          <Tabs.Tab value="overview">Overview</Tabs.Tab>
          <Tabs.Tab value="booking">Booking Setup</Tabs.Tab>
          <Tabs.Tab value="sessions">Sessions</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="overview">
          <CoachOverview />
        </Tabs.Panel>
        <Tabs.Panel value="booking">
          <Suspense fallback={<LoadingState />}>
            <BookingSetup />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="sessions">
          <Suspense fallback={<LoadingState />}>
            <CoachSessions />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
