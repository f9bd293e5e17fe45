import { Alert, Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ShieldAlert } from 'lucide-react';
import { dayAt, daysBetween } from '#contract/weeks.ts';
import { serverNow } from '../api/session.ts';
import { shownZone } from '../api/shown-zone.ts';
import { formatDay } from '../ui/dates.ts';
import { paths } from './paths.ts';

/** Stands over a screen that was open when the person's role began to need a second factor. */
export function SecondFactorNote() {
  return (
    <Alert
      color="yellow"
      icon={<ShieldAlert size={18} aria-hidden />}
      title="Your role needs a second factor now"
      role="alert"
      mb="lg"
    >
      What you typed stays here. You can save it after you set up a second factor.{' '}
      <Anchor component={Link} to={paths.accountSecurity} target="_blank" c="inherit" inherit underline="always">
        Set it up in a new tab
      </Anchor>
      , then continue here.
    </Alert>
  );
}

/** Stands over every screen while an admin still has days to set one up. */
export function SecondFactorDueNote({ dueAt }: { dueAt: string }) {
  const days = daysBetween(dayAt(new Date(serverNow()), shownZone()), dayAt(new Date(dueAt), shownZone()));
  const left = days === 0 ? 'This is the last day.' : `You have ${days === 1 ? '1 day' : `${days} days`} left.`;
  return (
    <Alert
      color="yellow"
      icon={<ShieldAlert size={18} aria-hidden />}
      title={`Set up a second factor by ${formatDay(dueAt)}`}
      // The note stands there for days, so a screen reader must not interrupt for it.
      role="note"
      mb="lg"
    >
      {left} After that, admins need one to use Switchyard.{' '}
      <Anchor component={Link} to={paths.accountSecurity} c="inherit" inherit underline="always">
        Open Sign-in and security
      </Anchor>
    </Alert>
  );
}
