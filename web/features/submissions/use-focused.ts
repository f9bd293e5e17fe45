import { useEffect, useRef } from 'react';

/** The field has the focus when it appears. Without any, Escape would close the dialog below. */
export function useFocused() {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return field;
}
