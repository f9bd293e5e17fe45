import { Anchor, Button, Stack, Text } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import type { ParticipantDashboard } from '#contract/home.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { HomePanel } from './HomePanel.tsx';

type Coaching = Pick<ParticipantDashboard, 'coach' | 'nextSession'>;

/** COACH-46, COACH-47 */
export function ParticipantCoaching({ coach, nextSession }: Coaching) {
  return (
    <HomePanel id="coaching" title="Coaching">
      {coach ? (
        <Stack gap="sm" align="flex-start">
          <Text>
            Your coach is{' '}
            <b>
              {coach.firstName} {coach.lastName}
            </b>
            .
          </Text>
          {nextSession ? (
            <Text>
              Next session: <DateTime value={nextSession.scheduledAt} />, {nextSession.durationMinutes} minutes.{' '}
              {nextSession.teamsLink ? <Anchor href={nextSession.teamsLink}>Meeting link</Anchor> : null}
            </Text>
          ) : (
            <Text c="dimmed">No session is booked.</Text>
          )}
          {coach.schedulingLink ? (
            <Button
              component="a"
              href={coach.schedulingLink}
              target="_blank"
              rel="noreferrer"
              variant="default"
              rightSection={<ExternalLink size={15} aria-label="opens in a new tab" />}
            >
              Book with your coach
            </Button>
          ) : null}
          {coach.instructions ? (
            <Text size="sm" c="dimmed" style={{ whiteSpace: 'pre-wrap' }}>
              {coach.instructions}
            </Text>
          ) : null}
        </Stack>
      ) : (
        <Text>You have no coach yet. Please check back in 24-48 hours: one is being assigned to you.</Text>
      )}
    </HomePanel>
  );
}
