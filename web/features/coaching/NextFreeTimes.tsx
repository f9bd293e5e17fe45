import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readBooking } from '#contract/booking.ts';
import { dayAt } from '#contract/weeks.ts';
import { zoneInWords } from '#contract/zones.ts';
import { queryFor } from '../../api/query-for.ts';
import { shownZone } from '../../api/shown-zone.ts';
import { formatDay } from '../../ui/dates.ts';
import { Loaded, ReadFailure } from '../../ui/Loaded.tsx';
import { usePart } from '../../ui/use-part.ts';
import classes from './NextFreeTimes.module.css';
import { SlotButtons } from './SlotButtons.tsx';
import { useSlotDialog } from './use-slot-dialog.ts';

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
              Next free times, 30 minutes each, in {zoneInWords(shownZone(), new Date())} time:
            </Text>
            <TimesByDay coachId={coachId} slots={slots.slice(0, shownTimes)} />
          </Stack>
        )
      }
    </Loaded>
  );
}

function TimesByDay({ coachId, slots }: { coachId: string; slots: string[] }) {
  const { choose, dialog } = useSlotDialog({ coachId, moved: null, onDone: () => undefined });
  const isOpen = dialog.startsAt !== null;
  const part = usePart('slot dialog', () => import('./SlotDialog.tsx'), { isNeeded: isOpen });
  const days = Map.groupBy(slots, (slot) => dayAt(new Date(slot), shownZone()));
  return (
    <Stack gap="md" className={classes.days}>
      {[...days].map(([day, times]) => (
        <section key={day} aria-label={formatDay(day, { withYear: true })} className={classes.day}>
          <Title order={3} className={classes.name}>
            {formatDay(day)}
          </Title>
          <SlotButtons slots={times} onChoose={choose} />
        </section>
      ))}
      {part.data ? <part.data.SlotDialog {...dialog} /> : null}
      {isOpen ? <ReadFailure read={part} failure="This could not be loaded" /> : null}
    </Stack>
  );
}
