import { useEffect, useState } from 'react';

/** Opens what is to be open only after it was drawn closed, because what is open at once would not give the focus back. */
export function useOpenOnceThere(isOpen: boolean): boolean {
  const [isThere, setThere] = useState(false);
  useEffect(() => setThere(true), []);
  return isOpen && isThere;
}
