import { Alert, Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ShieldAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { dayAt, daysBetween } from '#contract/weeks.ts';
import { serverNow } from '../api/session.ts';
import { shownZone } from '../api/shown-zone.ts';
import { counted } from '../ui/counted.ts';
import { formatDay } from '../ui/dates.ts';
import { paths } from './paths.ts';

/** Stands over a screen that was open when the person's role began to need a second factor. */
export function SecondFactorNote() {
  return (
    <FewLines role="alert">
      <b>Your role needs a second factor now.</b> Your text stays. <SetUp target="_blank">Set it up in a new tab</SetUp>
    </FewLines>
  );
}

/** Stands over every screen while an admin still has days to set one up. */
export function SecondFactorDueNote({ dueAt }: { dueAt: string }) {
  const days = daysBetween(dayAt(new Date(serverNow()), shownZone()), dayAt(new Date(dueAt), shownZone()));
  return (
    // The note stands there for days, so a screen reader must not interrupt for it.
    <FewLines role="note">
      <b>Admins need a second factor by {formatDay(dueAt)}.</b>{' '}
      {days === 0 ? 'This is the last day.' : `${counted(days, 'day')} left.`} <SetUp>Set it up</SetUp>
    </FewLines>
  );
}

/** The screen below is what the person came for, so the note takes one line, or two on a phone. */
function FewLines({ role, children }: { role: 'alert' | 'note'; children: ReactNode }) {
  return (
    <Alert color="yellow" icon={<ShieldAlert size={18} aria-hidden />} role={role} px="sm" py="xs" mb="md">
      {children}
    </Alert>
  );
}

function SetUp({ target, children }: { target?: '_blank'; children: string }) {
  return (
    <Anchor component={Link} to={paths.accountSecurity} target={target} c="inherit" inherit underline="always">
      {children}
    </Anchor>
  );
}
