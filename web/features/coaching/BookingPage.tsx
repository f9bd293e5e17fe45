import { Button, Card, Select, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import { readBooking, tooManyOpen } from '#contract/booking.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { zoneInWords } from '#contract/zones.ts';
import { queryFor } from '../../api/query-for.ts';
import { shownZone } from '../../api/shown-zone.ts';
import { paths } from '../../app/paths.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { BookedSessions } from './BookedSessions.tsx';
import { ExternalBooking } from './ExternalBooking.tsx';
import { FreeSlots } from './FreeSlots.tsx';

type Booking = ResponseOf<typeof readBooking>;
const Place = z.object({
  /** The coach whose times are shown, if the person has several. */
  coach: z.uuid().optional().catch(undefined),
  /** The session that gets another time. */
  move: z.uuid().optional().catch(undefined),
  /** The day whose times are shown. Without one, the first that has any. */
  day: z.iso.date().optional().catch(undefined),
});
type Place = z.infer<typeof Place>;

const lookAgainInMs = 60_000;

/** COACH-48 */
export function BookingPage() {
  const place = Place.parse(useSearch({ strict: false }));
  // Sessions begin and free times pass while the page stays open.
  const booking = useQuery({
    ...queryFor(readBooking, { query: { coachId: place.coach } }),
    refetchInterval: lookAgainInMs,
  });
  return (
    <>
      <PageHeader title="Coaching Sessions" lead="Coaching sessions take 30 to 60 minutes." />
      <Loaded
        read={booking}
        failure="Failed to load coaching session data"
        loading={{ label: 'Loading your coaching sessions', rows: 6 }}
      >
        {(data) => <Booking booking={data} place={place} />}
      </Loaded>
    </>
  );
}

function Booking({ booking, place }: { booking: Booking; place: Place }) {
  const navigate = useNavigate();
  const go = (change: Place, { replace = false } = {}) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...change }), resetScroll: false, replace });
  const { coaches, sessions, slots } = booking;
  const moved = sessions.find(({ id, can }) => id === place.move && can.move) ?? null;
  const coach = coaches.find(({ id }) => id === booking.coachId);
  return (
    <Stack gap="lg">
      {sessions.length > 0 ? (
        <BookedSessions
          sessions={sessions}
          movedId={moved?.id ?? null}
          onMove={({ id, coachId }) => go({ move: id, coach: coachId })}
        />
      ) : null}
      {coaches.length === 0 ? (
        <Card>
          <EmptyState
            title="No coach yet"
            action={
              <Button component={Link} to={paths.dashboard} variant="default">
                See what happens next
              </Button>
            }
          >
            A coach is being assigned to you. Please check back in 24-48 hours: you can book your sessions here then.
          </EmptyState>
        </Card>
      ) : null}
      {coaches.length > 1 ? (
        <Select
          label="Coach"
          data={coaches.map(({ id, firstName, lastName }) => ({ value: id, label: `${firstName} ${lastName}` }))}
          value={booking.coachId}
          onChange={(coachId) => go({ coach: coachId ?? undefined, move: undefined })}
          allowDeselect={false}
          w={{ base: '100%', xs: 320 }}
        />
      ) : null}
      {coach ? (
        <>
          <ExternalBooking coach={coach} />
          {slots.length > 0 || !coach.externalLink ? (
            <Card component="section" aria-labelledby="free-times">
              <Title order={2} id="free-times">
                {moved ? 'Choose the new time' : `${coach.firstName}'s free times`}
              </Title>
              <Text size="sm" c="dimmed" mb="md">
                30-minute times, next 4 weeks, in {zoneInWords(shownZone(), new Date())} time.
              </Text>
              {moved || booking.can.book ? (
                <FreeSlots
                  key={coach.id}
                  coachId={coach.id}
                  slots={slots}
                  sessions={sessions}
                  moved={moved}
                  day={place.day}
                  onDay={(day) => go({ day }, { replace: true })}
                  onDone={() => go({ move: undefined })}
                />
              ) : (
                <Text>{tooManyOpen(booking.mostOpenSessions)}</Text>
              )}
            </Card>
          ) : null}
        </>
      ) : null}
    </Stack>
  );
}
