import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

/** Opens a dialog that a link asks for by `dialog` in the address. What is open then does not stand there. */
export function useAskedDialog(name: string, open: () => void): void {
  const { dialog } = useSearch({ strict: false }) as { dialog?: unknown };
  const navigate = useNavigate();
  const answer = useEffectEvent(() => {
    open();
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, dialog: undefined }),
      replace: true,
      resetScroll: false,
    });
  });
  const isAsked = dialog === name;
  useEffect(() => {
    if (isAsked) answer();
  }, [isAsked]);
}
