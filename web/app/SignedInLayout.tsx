import '../styles/later.css';
import { Navigate, useMatches, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { type Role, roles } from '#contract/roles.ts';
import { isClockOff, isLeavingSession, requiredPlace, useSession } from '../api/session.ts';
import { AccessDenied, AuthenticationRequired, FullPageLoading } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { paths } from './paths.ts';
import { SecondFactorDueNote, SecondFactorNote } from './SecondFactorNote.tsx';
import { Shell } from './Shell.tsx';

/** Guards every signed-in screen. A screen that the person may not open is neither rendered nor loaded (ROUTE-20). */
export function SignedInLayout() {
  const session = useSession();
  const { user } = session;
  const required = requiredPlace(session);
  const place = useRouterState({ select: (state) => state.location.pathname });
  useClockCheck();
  const guard = useMatches({ select: (matches) => matches.at(-1)?.staticData });
  const here = `${user?.id} ${place}`;
  const [lastOpen, setLastOpen] = useState('');
  if (!required && lastOpen !== here) setLastOpen(here);
  if (!user) return isLeavingSession() ? <FullPageLoading /> : <AuthenticationRequired />;
  const mustLeave = required !== null && place !== required;
  // A screen that was open before the rule stays, with everything typed there.
  if (mustLeave && lastOpen !== here) return <Navigate to={required} replace />;
  const allowed: readonly Role[] = guard?.roles ?? roles;
  const isAllowed = allowed.includes(user.role);
  const { secondFactorDueAt: dueAt } = session;
  const dueNote = dueAt && place !== paths.accountSecurity ? <SecondFactorDueNote dueAt={dueAt} /> : null;
  return (
    // Another person starts from nothing. No dialog, field or page of the former one stays.
    <Shell key={user.id} note={mustLeave ? <SecondFactorNote /> : dueNote}>
      {isAllowed ? null : <AccessDenied role={user.role} required={allowed} message={guard?.denied} />}
    </Shell>
  );
}

/** Warns once if the device's clock differs from the server's by more than two minutes (AUTH-44). */
function useClockCheck(): void {
  const { serverTime } = useSession();
  const hasWarned = useRef(false);
  useEffect(() => {
    if (!serverTime || !isClockOff() || hasWarned.current) return;
    hasWarned.current = true;
    showToast({
      type: 'warning',
      title: 'Your clock is off',
      message: "Your device's clock is more than two minutes off. The deadlines you see here follow the correct time.",
    });
  }, [serverTime]);
}
