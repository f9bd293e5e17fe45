import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { usePart } from '../../ui/use-part.ts';
import { CoachOverview } from './CoachOverview.tsx';

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
          <BookingTab />
        </Tabs.Panel>
        <Tabs.Panel value="sessions">
          <SessionsTab />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function BookingTab() {
  const part = usePart('booking setup', () => import('../coaching/BookingSetup.tsx'));
  return (
    <Loaded read={part} failure="This could not be read" loading={{ label: 'Loading', rows: 4 }}>
      {({ BookingSetup }) => <BookingSetup />}
    </Loaded>
  );
}

function SessionsTab() {
  const part = usePart("a coach's sessions", () => import('../coaching/CoachSessions.tsx'));
  return (
    <Loaded read={part} failure="This could not be read" loading={{ label: 'Loading', rows: 4 }}>
      {({ CoachSessions }) => <CoachSessions />}
    </Loaded>
  );
}
