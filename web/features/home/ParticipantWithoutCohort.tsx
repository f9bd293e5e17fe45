import { Button, Card, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ParticipantDashboard } from '#contract/home.ts';
import { paths } from '../../app/paths.ts';
import { EmptyState } from '../../ui/states.tsx';
import { ParticipantCoaching } from './ParticipantCoaching.tsx';
import type { Retry } from './SectionNotLoaded.tsx';

interface ParticipantWithoutCohortProps {
  coaching: ParticipantDashboard['coaching'];
  retry: Retry;
}

/** FELL-27: the button leads to a page that works, and does not loop. */
export function ParticipantWithoutCohort({ coaching, retry }: ParticipantWithoutCohortProps) {
  return (
    <Stack gap="lg">
      <Card>
        <EmptyState
          title="No Active Enrollment"
          action={
            <Button component={Link} to={paths.home}>
              Return to Home
            </Button>
          }
        >
          You are not in a cohort yet. When the program team adds you to one, your week, your activities and your
          stipend will be here.
        </EmptyState>
      </Card>
      <ParticipantCoaching coaching={coaching} retry={retry} />
    </Stack>
  );
}
