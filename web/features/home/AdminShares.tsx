import { Group, Text } from '@mantine/core';
import type { AdminDashboard } from '#contract/home.ts';
import type { Role, TrackType } from '#contract/roles.ts';
import { type Missing, standInLooks } from '../../ui/NotLoaded.tsx';
import { HomePanel } from './HomePanel.tsx';

interface SharesProps {
  figures: AdminDashboard;
  missing: Missing | undefined;
  isFolded: boolean;
}

interface Share {
  label: string;
  count: number;
}

const roleLabels: Record<Role, string> = { participant: 'Participants', coach: 'Coaches', admin: 'Admins' };
const trackLabels: Record<TrackType, string> = {
  fellowship: 'Fellowship',
  adult_mobilization: 'Adult Mobilization',
  self_learner: 'Self Learner',
};

/** ADMIN-07 */
export function UsersByRole({ figures, missing, isFolded }: SharesProps) {
  const shares = figures.usersByRole.map(({ role, count }) => ({ label: roleLabels[role], count }));
  return (
    <HomePanel
      title="Users by Role"
      missing={missing}
      fold={isFolded && !missing ? { name: 'roles', figure: inWords(shares) } : null}
    >
      <Shares shares={shares} isNotLoaded={missing !== undefined} />
    </HomePanel>
  );
}

/** ADMIN-08 */
export function ParticipantsByTrack({ figures, missing, isFolded }: SharesProps) {
  const shares = figures.participantsByTrack.map(({ trackType, count }) => ({
    label: trackType ? trackLabels[trackType] : 'No track',
    count,
  }));
  return (
    <HomePanel
      title="Participants by Track"
      missing={missing}
      fold={isFolded && !missing ? { name: 'tracks', figure: inWords(shares) } : null}
    >
      <Shares shares={shares} isNotLoaded={missing !== undefined} />
    </HomePanel>
  );
}

function inWords(shares: Share[]): string {
  return shares.map(({ label, count }) => `${label} ${count.toLocaleString('en-US')}`).join(', ');
}

function Shares({ shares, isNotLoaded }: { shares: Share[]; isNotLoaded: boolean }) {
  const total = shares.reduce((sum, { count }) => sum + count, 0);
  return (
    <dl style={{ margin: 0 }}>
      {shares.map(({ label, count }) => (
        <Group key={label} justify="space-between" gap="sm" wrap="nowrap" py={2}>
          <Text component="dt" size="sm">
            {label}
          </Text>
          <Text
            component="dd"
            m={0}
            size="sm"
            style={{ fontVariantNumeric: 'tabular-nums' }}
            {...(isNotLoaded ? standInLooks : {})}
          >
            {count.toLocaleString('en-US')} ({total === 0 ? 0 : Math.round((100 * count) / total)}%)
          </Text>
        </Group>
      ))}
    </dl>
  );
}
