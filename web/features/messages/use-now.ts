import { useEffect, useState } from 'react';

const minuteInMs = 60_000;

/** The present, which moves on every minute. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), minuteInMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
