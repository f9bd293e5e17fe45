import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CoachSession, listUpcomingSessions } from '#contract/coach-sessions.ts';
import { pagesFor } from '../../api/query-for.ts';
import { ReadFailure } from '../../ui/Loaded.tsx';
import { CoachSessionRows } from './CoachSessionRows.tsx';

interface UpcomingSessionsProps {
  /** The first of `count` sessions. */
  first: CoachSession[];
  count: number;
}

/** The rest is read when asked for, page by page. */
export function UpcomingSessions({ first, count }: UpcomingSessionsProps) {
  const [isLong, setLong] = useState(false);
  const list = useInfiniteQuery({
    ...pagesFor(listUpcomingSessions, { query: {} }),
    enabled: isLong,
  });
  const all = list.data?.pages.flatMap((page) => page.rows);
  const shown = isLong && all ? all : first;
  const showMore = () => {
    if (!isLong) setLong(true);
    else if (!list.data) void list.refetch();
    else void list.fetchNextPage();
  };
  return (
    <CoachSessionRows
      title="Upcoming sessions"
      sessions={shown}
      emptyText="No session is booked. Participants book the times you offer in Booking Setup."
    >
      <ReadFailure read={list} failure="Failed to load coaching sessions" />
      {shown.length < count && !list.isError ? (
        <Button variant="default" size="sm" w="fit-content" mt="md" onClick={showMore} loading={list.isFetching}>
          Show more ({shown.length} of {count.toLocaleString('en-US')})
        </Button>
      ) : null}
    </CoachSessionRows>
  );
}
