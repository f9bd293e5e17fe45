import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type CalendarActivity, opensOn } from '#contract/learning.ts';
import { paths } from '../../app/paths.ts';
import { showToast } from '../../ui/toast.tsx';

interface ActivityLinkProps {
  activity: Pick<CalendarActivity, 'id' | 'state' | 'sessionDate'>;
  className?: string;
  children: ReactNode;
}

/** Opens the activity. A locked one does not open, and says why (CAL-09, CAL-10). */
export function ActivityLink({ activity, className, children }: ActivityLinkProps) {
  if (activity.state !== 'locked') {
    return (
      <Link to={paths.activity(activity.id)} className={className}>
        {children}
      </Link>
    );
  }
  return (
    <button
      type="button"
      className={className}
      onClick={() => showToast({ type: 'warning', title: opensOn(activity.sessionDate) })}
    >
      {children}
    </button>
  );
}
