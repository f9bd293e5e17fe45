import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { readBooking } from '#contract/booking.ts';
import { messageOf } from '../../api/api-error.ts';
import { queryFor } from '../../api/query-for.ts';
import { FreeSlots } from './FreeSlots.tsx';

const shownTimes = 6;

/** FELL-24, FELL-25: the coach's next free times, to be booked where they stand. */
export function NextFreeTimes() {
  const booking = useQuery(queryFor(readBooking, { query: {} }));
  if (booking.isPending) return <Skeleton h={88} w="100%" role="status" aria-label="Loading free times" />;
  const { coachId = null, slots = [] } = booking.data ?? {};
  const hasTimes = coachId !== null && slots.length > 0;
  if (!hasTimes && !booking.isError) return null;
  return (
    <Stack gap="sm" w="100%">
      {booking.isError ? (
        <Group gap="sm" role="alert">
          <Text size="sm">Failed to load free times: {messageOf(booking.error)}</Text>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<RotateCw size={14} aria-hidden />}
            loading={booking.isFetching}
            onClick={() => void booking.refetch()}
          >
            Try again
          </Button>
        </Group>
      ) : null}
      {hasTimes ? (
        <>
          <Text size="sm" c="dimmed">
            Next free times, 30 minutes each, in US Eastern time:
          </Text>
          <FreeSlots coachId={coachId} slots={slots.slice(0, shownTimes)} moved={null} onDone={() => undefined} />
        </>
      ) : null}
    </Stack>
  );
}
