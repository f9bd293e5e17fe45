import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CalendarActivity } from '#contract/learning.ts';
import { paths } from '../../app/paths.ts';
import { formatDay } from '../../ui/dates.ts';
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
    <button type="button" className={className} onClick={() => sayWhenItOpens(activity.sessionDate)}>
      {children}
    </button>
  );
}

function sayWhenItOpens(day: string | null) {
  showToast({ type: 'warning', title: day === null ? 'Not open yet' : `Opens ${formatDay(day)}` });
}
