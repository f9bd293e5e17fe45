import { SimpleGrid, Text } from '@mantine/core';
import type { AdminDashboard, AdminSection } from '#contract/home.ts';
import { type Missing, NotLoaded, standInLooks } from '../../ui/NotLoaded.tsx';
import { HomePanel } from './HomePanel.tsx';

/** Returns the way to read a section again if it could not be read. */
export type MissingOf = (section: AdminSection) => Missing | undefined;

interface AdminWeekProps {
  figures: AdminDashboard;
  missingOf: MissingOf;
  isFolded: boolean;
}

/** ADMIN-06 */
export function AdminWeek({ figures, missingOf, isFolded }: AdminWeekProps) {
  const { recentActivity, cohortStats } = figures;
  const facts = [
    ['New users', recentActivity.newUsersThisWeek, 'people'],
    ['New submissions', recentActivity.submissionsThisWeek, 'submissions'],
    ['Active cohorts', cohortStats.active, 'cohorts'],
    ['Planning cohorts', cohortStats.planning, 'cohorts'],
  ] as const;
  const isMissing = facts.some(([, , section]) => missingOf(section));
  const figure = facts.map(([label, value]) => `${label} ${value.toLocaleString('en-US')}`).join(', ');
  return (
    <HomePanel title="Recent Activity (Last 7 Days)" fold={isFolded && !isMissing ? { name: 'recent', figure } : null}>
      <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }} spacing="md" m={0} style={{ alignItems: 'start' }}>
        {facts.map(([label, value, section]) => (
          <div key={label}>
            <Text component="dt" size="sm" c="dimmed">
              {label}
            </Text>
            <Text
              component="dd"
              m={0}
              fw={650}
              style={{ fontVariantNumeric: 'tabular-nums' }}
              {...(missingOf(section) ? standInLooks : {})}
            >
              {value}
            </Text>
            <MissingFact label={label} missing={missingOf(section)} />
          </div>
        ))}
      </SimpleGrid>
    </HomePanel>
  );
}

function MissingFact({ label, missing }: { label: string; missing: Missing | undefined }) {
  if (!missing) return null;
  return (
    <dd style={{ margin: 0 }}>
      <NotLoaded label={label} missing={missing} />
    </dd>
  );
}
