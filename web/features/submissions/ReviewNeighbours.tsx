import { ActionIcon, Group, Text } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { SubmissionRow } from '#contract/submissions.ts';

/** The submissions around the open one, in the order of the list behind the dialog. */
export interface Neighbours {
  /** Counts from 1. Null if the list does not show the open submission. */
  place: number | null;
  count: number;
  previous: string | null;
  following: string | null;
  /** The next submission that this person can review. After the end of the list, the search starts at its beginning. */
  next: string | null;
}

export function neighboursOf(rows: SubmissionRow[], submissionId: string | undefined): Neighbours {
  const place = rows.findIndex(({ id }) => id === submissionId);
  const around = [...rows.slice(place + 1), ...rows.slice(0, Math.max(place, 0))];
  return {
    place: place < 0 ? null : place + 1,
    count: rows.length,
    previous: rows[place - 1]?.id ?? null,
    following: place < 0 ? null : (rows[place + 1]?.id ?? null),
    next: around.find(({ can }) => can.review)?.id ?? null,
  };
}

export function ReviewNeighbours({
  neighbours: { place, count, previous, following },
  onOpen,
}: {
  neighbours: Neighbours;
  onOpen: (submissionId: string) => void;
}) {
  if (place === null || count < 2) return null;
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon
        variant="default"
        size="lg"
        aria-label="Previous submission"
        disabled={!previous}
        onClick={() => previous && onOpen(previous)}
      >
        <ChevronLeft size={18} aria-hidden />
      </ActionIcon>
      <Text size="sm" c="dimmed" px={4} visibleFrom="xs" style={{ whiteSpace: 'nowrap' }}>
        {place.toLocaleString('en-US')} of {count.toLocaleString('en-US')}
      </Text>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label="Next submission"
        disabled={!following}
        onClick={() => following && onOpen(following)}
      >
        <ChevronRight size={18} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
