import { SimpleGrid, Text } from '@mantine/core';
import type { AdminDashboard } from '#contract/home.ts';
import { HomePanel } from './HomePanel.tsx';

/** ADMIN-06 */
export function AdminWeek({ figures, isNotLoaded }: { figures: AdminDashboard; isNotLoaded: boolean }) {
  const { recentActivity, cohortStats } = figures;
  const facts = [
    ['New users', recentActivity.newUsersThisWeek],
    ['New submissions', recentActivity.submissionsThisWeek],
    ['Active cohorts', cohortStats.active],
    ['Planning cohorts', cohortStats.planning],
  ] as const;
  return (
    <HomePanel title="Recent Activity (Last 7 Days)" isNotLoaded={isNotLoaded}>
      <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }} spacing="md" m={0} style={{ alignItems: 'end' }}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <Text component="dt" size="sm" c="dimmed">
              {label}
            </Text>
            <Text component="dd" m={0} fw={650} style={{ fontVariantNumeric: 'tabular-nums' }}>
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </HomePanel>
  );
}
