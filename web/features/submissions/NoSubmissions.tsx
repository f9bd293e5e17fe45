import { Anchor, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { readFellowship } from '#contract/fellowship.ts';
import { queryFor } from '../../api/query-for.ts';
import { paths } from '../../app/paths.ts';
import { EmptyState } from '../../ui/states.tsx';

interface NoSubmissionsProps {
  isReviewer: boolean;
  isPending: boolean;
  isFiltered: boolean;
  isMine: boolean;
  onClear: () => void;
  onShowAll: () => void;
}

export function NoSubmissions({ isReviewer, isPending, isFiltered, isMine, onClear, onShowAll }: NoSubmissionsProps) {
  if (isFiltered) {
    return (
      <EmptyState
        title="No submission matches"
        action={
          <Button variant="default" onClick={onClear}>
            Clear filters
          </Button>
        }
      />
    );
  }
  if (isMine) {
    return (
      <EmptyState
        title={isPending ? 'No work from your participants to review' : 'No work from your participants yet'}
        action={
          <Button variant="default" onClick={onShowAll}>
            Show all participants
          </Button>
        }
      >
        An admin assigns participants to you. What they hand in is listed here.
      </EmptyState>
    );
  }
  if (isPending) return <EmptyState title="Nothing to review">New work appears here, oldest first.</EmptyState>;
  if (isReviewer) {
    return <EmptyState title="No submissions yet">What participants hand in is listed here, newest first.</EmptyState>;
  }
  return <NothingHandedIn />;
}

/** Leads to what a participant can do next. Without a cohort there is nothing in the calendar. */
function NothingHandedIn() {
  const { data, isPending } = useQuery(queryFor(readFellowship));
  const title = 'You have not handed in anything yet';
  if (data?.cohort === null) {
    return (
      <EmptyState
        title={title}
        action={
          <Button component={Link} to={paths.dashboard} variant="default">
            See what happens next
          </Button>
        }
      >
        You are not in an active cohort. As soon as the program team enrolls you, you get assignments to hand in.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={title}
      action={
        isPending ? null : (
          <Anchor component={Link} to={paths.trainingCalendar} underline="always" display="inline-block" py="sm">
            Find your assignments in the Training Calendar
          </Anchor>
        )
      }
    >
      Your work is listed here with its status and your coach's feedback.
    </EmptyState>
  );
}
