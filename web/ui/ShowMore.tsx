import { Button } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useEffect } from 'react';

interface ShowMoreProps {
  isRunning: boolean;
  /** The last try failed. The person asks for the next one. */
  hasFailed: boolean;
  onMore: () => void;
}

/** RES-11: the list goes on by itself when its end comes near, without pages to turn. */
export function ShowMore({ isRunning, hasFailed, onMore }: ShowMoreProps) {
  const { ref, entry } = useIntersection({ rootMargin: '600px' });
  const isNear = entry?.isIntersecting ?? false;
  useEffect(() => {
    if (isNear && !isRunning && !hasFailed) onMore();
  }, [isNear, isRunning, hasFailed, onMore]);
  return (
    <Button ref={ref} variant="default" w="fit-content" onClick={onMore} loading={isRunning}>
      Show more
    </Button>
  );
}
