import { useCallback, useLayoutEffect, useState } from 'react';

type Tell = (part: string, isUnsaved: boolean) => void;

/** For a screen that asks once for all its parts. Each part reports whether it has something unsaved. */
export function useUnsavedParts(): { isAnyUnsaved: boolean; tellUnsaved: Tell } {
  const [unsaved, setUnsaved] = useState<ReadonlySet<string>>(new Set());
  const tellUnsaved = useCallback<Tell>((part, isUnsaved) => {
    setUnsaved((before) => {
      if (before.has(part) === isUnsaved) return before;
      return isUnsaved ? new Set([...before, part]) : new Set([...before].filter((other) => other !== part));
    });
  }, []);
  return { isAnyUnsaved: unsaved.size > 0, tellUnsaved };
}

/** Reports before the next click can lead away. */
export function useTellUnsaved(tell: Tell, part: string, isUnsaved: boolean): void {
  useLayoutEffect(() => {
    tell(part, isUnsaved);
    return () => tell(part, false);
  }, [tell, part, isUnsaved]);
}
