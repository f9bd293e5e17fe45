import { Anchor, Box, Button, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ExternalLink, MessagesSquare } from 'lucide-react';
import { readBooking } from '#contract/booking.ts';
import type { ParticipantDashboard } from '#contract/home.ts';
import { paths } from '../../app/paths.ts';
import { AddToCalendar } from '../../ui/AddToCalendar.tsx';
import { counted } from '../../ui/counted.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { formatDateTime } from '../../ui/dates.ts';
import { JoinButton } from '../coaching/JoinButton.tsx';
import { NextFreeTimes } from '../coaching/NextFreeTimes.tsx';
import { HomePanel } from './HomePanel.tsx';
import { type Retry, SectionNotLoaded } from './SectionNotLoaded.tsx';

type Coaching = NonNullable<ParticipantDashboard['coaching']>;
type Coach = NonNullable<Coaching['coach']>;

interface ParticipantCoachingProps {
  /** Null if it could not be read. */
  coaching: Coaching | null;
  retry: Retry;
  isFolded?: boolean;
}

export function ParticipantCoaching({ coaching, retry, isFolded = false }: ParticipantCoachingProps) {
  if (!coaching) {
    return (
      <SectionNotLoaded id="coaching" title="Coaching" failure="Failed to load coaching session data" retry={retry} />
    );
  }
  const { coach, nextSession, unreadMessages } = coaching;
  return (
    <HomePanel id="coaching" title="Coaching" fold={isFolded ? { name: 'coaching', figure: figureOf(coaching) } : null}>
      <Stack gap="sm" align="flex-start">
        {coach ? (
          <Text>
            Your coach is{' '}
            <b>
              {coach.firstName} {coach.lastName}
            </b>
            .
          </Text>
        ) : (
          <Text>You have no coach yet. Please check back in 24-48 hours: one is being assigned to you.</Text>
        )}
        {nextSession ? <NextSession session={nextSession} /> : null}
        {coach ? <Booking coach={coach} hasSession={nextSession !== null} /> : null}
        <Anchor component={Link} to={paths.messages} size="sm" py={4}>
          <MessagesSquare size={15} aria-hidden style={{ verticalAlign: '-2px', marginRight: 6 }} />
          {unreadMessages === 0
            ? 'Messages, none unread'
            : `Messages, ${unreadMessages.toLocaleString('en-US')} unread`}
        </Anchor>
      </Stack>
    </HomePanel>
  );
}

function figureOf({ coach, nextSession, unreadMessages }: Coaching): string {
  const session = nextSession ? `Next session ${formatDateTime(nextSession.scheduledAt)}` : 'No session booked';
  return [
    coach ? session : 'No coach yet',
    ...(unreadMessages > 0 ? [counted(unreadMessages, 'unread message')] : []),
  ].join('\u00a0· ');
}

function NextSession({ session }: { session: NonNullable<Coaching['nextSession']> }) {
  return (
    <Stack gap="sm" align="flex-start">
      <Text component="div">
        Next session: <DateTime value={session.scheduledAt} />, {session.durationMinutes} minutes
      </Text>
      <JoinButton session={session} />
      <AddToCalendar kind="session" id={session.id} name="coaching session" />
    </Stack>
  );
}

/** COACH-47, COACH-48 */
function Booking({ coach, hasSession }: { coach: Coach; hasSession: boolean }) {
  const { schedulingLink, instructions } = coach;
  return (
    <>
      {schedulingLink ? (
        <Button
          component="a"
          href={schedulingLink}
          target="_blank"
          rel="noreferrer"
          variant="default"
          rightSection={<ExternalLink size={15} aria-label="opens in a new tab" />}
        >
          Book a session
        </Button>
      ) : null}
      {instructions ? (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
          {instructions}
        </Text>
      ) : null}
      <Box w="100%" className="frame-of-read" data-own-reads={readBooking.name}>
        <NextFreeTimes />
      </Box>
      <Button component={Link} to={paths.coaching} variant="default">
        {hasSession ? 'Your sessions and all free times' : 'All free times'}
      </Button>
      <Text size="sm" c="dimmed">
        {hasSession ? '' : 'No session is booked. '}
        Coaching sessions take 30 to 60 minutes.
      </Text>
    </>
  );
}
