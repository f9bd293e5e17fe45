import { Button, Card } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { paths } from '../../app/paths.ts';
import { EmptyState } from '../../ui/states.tsx';

/** FELL-27: the button leads to a page that works, and does not loop. */
export function ParticipantWithoutCohort() {
  return (
    <Card>
      <EmptyState
        title="No Active Enrollment"
        action={
          <Button component={Link} to={paths.home}>
            Return to Home
          </Button>
        }
      >
        You are not in a cohort yet. When the programme team adds you to one, your week, your activities and your
        stipend will be here.
      </EmptyState>
    </Card>
  );
}
