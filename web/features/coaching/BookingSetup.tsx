import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readBookingSetup } from '#contract/booking-setup.ts';
import { queryFor } from '../../api/query-for.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { useUnsavedChanges } from '../../ui/use-unsaved-changes.tsx';
import { useUnsavedParts } from '../../ui/use-unsaved-parts.ts';
import { BookingLinkForm } from './BookingLinkForm.tsx';
import { Leave } from './Leave.tsx';
import { WeekTimes } from './WeekTimes.tsx';

/** Sets how participants book a session: on the coach's own page elsewhere, or at times that are offered here. */
export function BookingSetup() {
  const setup = useQuery(queryFor(readBookingSetup));
  const { isAnyUnsaved, tellUnsaved } = useUnsavedParts();
  const { question } = useUnsavedChanges(isAnyUnsaved, {
    loss: 'Times or other settings that you changed are not saved yet.',
    // Turning to another week keeps the painted times.
    isKept: (from, to) => from.pathname === to.pathname && tabOf(from.search) === tabOf(to.search),
  });
  return (
    <Stack gap="lg">
      <Loaded
        read={setup}
        failure="Your booking link could not be loaded"
        loading={{ label: 'Loading your booking link', rows: 3 }}
      >
        {(data) => <BookingLinkForm stored={data} tellUnsaved={tellUnsaved} />}
      </Loaded>
      <WeekTimes tellUnsaved={tellUnsaved} />
      <Leave />
      {question}
    </Stack>
  );
}

function tabOf(search: object): unknown {
  return 'tab' in search ? search.tab : null;
}
