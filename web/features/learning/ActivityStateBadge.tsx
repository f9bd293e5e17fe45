import type { ActivityState } from '#contract/learning.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { stateLooks } from './activity-state.ts';

export function ActivityStateBadge({ state }: { state: ActivityState }) {
  const { tone, icon: Icon, word } = stateLooks[state];
  return (
    <StatusBadge tone={tone} icon={<Icon size={13} aria-hidden />}>
      {word}
    </StatusBadge>
  );
}
