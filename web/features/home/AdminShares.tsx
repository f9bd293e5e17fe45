import { Stack } from '@mantine/core';
import type { AdminDashboard } from '#contract/home.ts';
import type { Role, TrackType } from '#contract/roles.ts';
import { Meter } from '../../ui/Meter.tsx';
import type { Missing } from '../../ui/NotLoaded.tsx';
import { HomePanel } from './HomePanel.tsx';

interface SharesProps {
  figures: AdminDashboard;
  missing: Missing | undefined;
}

const roleLabels: Record<Role, string> = { participant: 'Participants', coach: 'Coaches', admin: 'Admins' };
const trackLabels: Record<TrackType, string> = {
  fellowship: 'Fellowship',
  adult_mobilization: 'Adult Mobilization',
  self_learner: 'Self Learner',
};

/** ADMIN-07 */
export function UsersByRole({ figures, missing }: SharesProps) {
  const shares = figures.usersByRole.map(({ role, count }) => ({ label: roleLabels[role], count }));
  return (
    <HomePanel title="Users by Role" missing={missing}>
      <Shares shares={shares} />
    </HomePanel>
  );
}

/** ADMIN-08 */
export function ParticipantsByTrack({ figures, missing }: SharesProps) {
  const shares = figures.participantsByTrack.map(({ trackType, count }) => ({
    label: trackType ? trackLabels[trackType] : 'No track',
    count,
  }));
  return (
    <HomePanel title="Participants by Track" missing={missing}>
      <Shares shares={shares} />
    </HomePanel>
  );
}

function Shares({ shares }: { shares: { label: string; count: number }[] }) {
  const total = shares.reduce((sum, { count }) => sum + count, 0);
  return (
    <Stack gap="md">
      {shares.map(({ label, count }) => {
        const percentage = total === 0 ? 0 : (100 * count) / total;
        return (
          <Meter key={label} label={label} percentage={percentage} text={`${count} (${Math.round(percentage)}%)`} />
        );
      })}
    </Stack>
  );
}
