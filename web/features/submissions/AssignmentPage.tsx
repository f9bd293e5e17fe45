import { Alert, Anchor, Card, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { z } from 'zod';
import { readAssignment } from '#contract/submissions.ts';
import { isMissing } from '../../api/api-error.ts';
import { queryFor } from '../../api/query-for.ts';
import { useSignedInUser } from '../../api/session.ts';
import { paths } from '../../app/paths.ts';
import { AddToCalendar } from '../../ui/AddToCalendar.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { whyNotTaught } from '../../ui/not-there.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { WrittenText } from '../../ui/WrittenText.tsx';
import { type Assignment, formFor } from './assignment-state.ts';
import { DueBanner } from './DueBanner.tsx';
import { GradingInfo } from './GradingInfo.tsx';
import { OwnWork } from './OwnWork.tsx';
import { SubmissionStatusLine } from './SubmissionStatusLine.tsx';

const AssignmentPlace = z.object({ resubmit: z.coerce.string().optional() });

export function AssignmentPage() {
  const { assignmentId = '' } = useParams({ strict: false });
  const { role } = useSignedInUser();
  const read = useQuery(queryFor(readAssignment, { params: { id: assignmentId } }));
  if (!read.data && isMissing(read.error)) {
    return (
      <NotFound thing="Assignment" back={{ to: paths.trainingCalendar, label: 'Go to the Training Calendar' }}>
        {whyNotTaught(role)}
      </NotFound>
    );
  }
  return (
    <>
      {read.data ? null : <PageHeader title="Assignment" />}
      <Loaded
        read={read}
        failure={role === 'participant' ? 'Failed to load existing submission' : 'Failed to load the assignment'}
        loading={{ label: 'Loading the assignment', rows: 6 }}
      >
        {(assignment) => <LoadedAssignment assignment={assignment} key={assignment.id} />}
      </Loaded>
    </>
  );
}

function LoadedAssignment({ assignment }: { assignment: Assignment }) {
  const { resubmit = null } = AssignmentPlace.parse(useSearch({ strict: false }));
  const { id: userId, role } = useSignedInUser();
  const { activity, can, submission } = assignment;
  const isParticipant = role === 'participant';
  const form = formFor(assignment, resubmit);
  const status = useFocusAfter(form === 'first' || form === 'again');
  const ownWork = isParticipant ? <OwnWork assignment={assignment} form={form} userId={userId} /> : null;
  return (
    <div>
      <PageHeader
        title={assignment.title}
        lead={
          <>
            Week {activity.weekNumber} ·{' '}
            <Anchor component={Link} to={paths.activity(activity.id)} underline="always">
              {activity.title}
            </Anchor>
          </>
        }
      >
        {isStillDue(assignment, isParticipant) ? (
          <AddToCalendar kind="assignment" id={assignment.id} name={assignment.title} />
        ) : null}
      </PageHeader>
      <Stack gap="lg">
        {isParticipant ? <SubmissionStatusLine ref={status} submission={submission} /> : null}
        <DueBanner
          dueDate={assignment.dueDate}
          today={assignment.today}
          status={submission?.status ?? null}
          isOpen={can.submit || can.resubmit}
        />
        {isParticipant && form === 'wrong link' ? <WrongLink assignmentId={assignment.id} /> : null}
        {/* After a submission, the first question is what the coach says about it. */}
        {submission ? ownWork : null}
        <Card component="section" aria-labelledby="instructions">
          <Title order={2} id="instructions" mb="sm">
            Instructions
          </Title>
          <WrittenText>{assignment.instructions}</WrittenText>
        </Card>
        {can.grade ? <GradingInfo assignment={assignment} /> : null}
        {submission ? null : ownWork}
      </Stack>
    </div>
  );
}

/** The form takes the focus with it when it goes. The keyboard then goes on at the line with the status. */
function useFocusAfter(isFormOpen: boolean) {
  const place = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(isFormOpen);
  useEffect(() => {
    if (wasOpen.current && !isFormOpen) place.current?.focus();
    wasOpen.current = isFormOpen;
  }, [isFormOpen]);
  return place;
}

/** Reviewers may want any future date in their calendar. */
function isStillDue({ dueDate, today, can }: Assignment, isParticipant: boolean): boolean {
  return dueDate !== null && dueDate >= today && (!isParticipant || can.submit || can.resubmit);
}

/** ASSIGN-08 */
function WrongLink({ assignmentId }: { assignmentId: string }) {
  return (
    <Alert color="yellow" title="This link does not lead to a submission that you can hand in again" role="alert">
      <Anchor component={Link} to={paths.assignment(assignmentId)} c="inherit" underline="always">
        Show where this assignment stands
      </Anchor>
    </Alert>
  );
}
