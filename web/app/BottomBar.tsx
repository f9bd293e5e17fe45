import { Indicator } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import {
  BanknoteArrowUp,
  CalendarDays,
  LayoutDashboard,
  type LucideIcon,
  MessagesSquare,
  TrendingUp,
} from 'lucide-react';
import { useSession } from '../api/session.ts';
import classes from './BottomBar.module.css';
import { paths, type ScreenPath } from './paths.ts';

interface Place {
  label: string;
  to: ScreenPath;
  icon: LucideIcon;
}

const places: Place[] = [
  { label: 'Home', to: paths.dashboard, icon: LayoutDashboard },
  { label: 'Calendar', to: paths.trainingCalendar, icon: CalendarDays },
  { label: 'Progress', to: paths.fellowship, icon: TrendingUp },
  { label: 'Pay', to: paths.myStipends, icon: BanknoteArrowUp },
  { label: 'Messages', to: paths.messages, icon: MessagesSquare },
];

/** What a participant looks up every day, within reach of a thumb. */
export function BottomBar() {
  const { unreadMessages } = useSession();
  return (
    <nav aria-label="Every day" className={classes.bar}>
      {places.map(({ label, to, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          className={classes.place}
          activeProps={{ 'data-active': true, 'aria-current': 'page' }}
          activeOptions={{ exact: true, includeSearch: false }}
          aria-label={
            to === paths.messages && unreadMessages > 0
              ? `${label}, ${unreadMessages.toLocaleString('en-US')} unread`
              : undefined
          }
        >
          <Indicator
            disabled={to !== paths.messages || unreadMessages === 0}
            size={9}
            offset={2}
            color="var(--entry-here-text)"
          >
            <Icon size={20} aria-hidden style={{ display: 'block' }} />
          </Indicator>
          {label}
        </Link>
      ))}
    </nav>
  );
}
