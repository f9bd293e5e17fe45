import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readBooking } from '#contract/booking.ts';
import { queryFor } from '../../api/query-for.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { FreeSlots } from './FreeSlots.tsx';

const shownTimes = 6;

/** FELL-24, FELL-25: the coach's next free times. A person books them right here. */
export function NextFreeTimes() {
  const booking = useQuery(queryFor(readBooking, { query: {} }));
  return (
    <Loaded read={booking} failure="Failed to load free times" loading={{ label: 'Loading free times', rows: 2 }}>
      {({ coachId, slots }) =>
        coachId === null || slots.length === 0 ? null : (
          <Stack gap="sm" w="100%">
            <Text size="sm" c="dimmed">
              Next free times, 30 minutes each, in US Eastern time:
            </Text>
            <FreeSlots coachId={coachId} slots={slots.slice(0, shownTimes)} moved={null} onDone={() => undefined} />
          </Stack>
        )
      }
    </Loaded>
  );
}
