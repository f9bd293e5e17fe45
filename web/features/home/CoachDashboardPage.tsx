import { Card, Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { CoachOverview } from './CoachOverview.tsx';
import { CoachSessions } from './CoachSessions.tsx';

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
          <Card>
            <EmptyState title="Coming in this build">
              Your booking link and your weekly availability will be set here.
            </EmptyState>
          </Card>
        </Tabs.Panel>
        <Tabs.Panel value="sessions">
          <CoachSessions />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
