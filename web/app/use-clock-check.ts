import { useEffect, useRef } from 'react';
import { isClockOff, useSession } from '../api/session.ts';
import { showToast } from '../ui/toast.tsx';

/** Warns once if the device's clock differs from the server's by more than two minutes (AUTH-44). */
export function useClockCheck(): void {
  const { serverTime } = useSession();
  const hasWarned = useRef(false);
  useEffect(() => {
    if (!serverTime || !isClockOff() || hasWarned.current) return;
    hasWarned.current = true;
    showToast({
      type: 'warning',
      title: 'Your clock is off',
      message:
        "This device's clock differs from the server's by more than two minutes. Deadlines here go by the server's time.",
    });
  }, [serverTime]);
}
