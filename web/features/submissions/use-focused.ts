import { useEffect, useRef } from 'react';

/** The field has the focus when it appears. */
export function useFocused() {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return field;
}
