import { Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { assignCoach, type CoachChoice, previewCoachAssignment } from '#contract/coach-assignment.ts';
import { enrolPeople, previewEnrolments } from '#contract/enrolments.ts';
import type { PeoplePreview } from '#contract/people-sets.ts';
import { previewInvitations, resendUserInvitations } from '#contract/user-management.ts';
import { queryFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { counted } from '../../ui/counted.ts';
import { Loaded, type Read } from '../../ui/Loaded.tsx';
import { tellOfRefused } from '../../ui/refused.ts';
import { CoachSelect } from './CoachSelect.tsx';
import { CohortSelect } from './CohortSelect.tsx';
import type { PeopleAct } from './user-words.ts';
import { WhatWillHappen } from './WhatWillHappen.tsx';

interface PeopleActProps {
  ids: string[];
  onClose: () => void;
  onDone: () => void;
}

const forms: Record<PeopleAct, (props: PeopleActProps) => ReactNode> = {
  coach: AssignCoach,
  enrol: Enrol,
  invite: Invite,
};

/** The forms of the acts upon several people. */
export function PeopleActs({ act, ...props }: PeopleActProps & { act: PeopleAct }) {
  const Form = forms[act];
  return <Form {...props} />;
}

function AssignCoach({ ids, ...props }: PeopleActProps) {
  const [coach, setCoach] = useState<CoachChoice | null>(null);
  const preview = useQuery({
    ...queryFor(previewCoachAssignment, { body: { participantIds: ids, coachId: coach?.id ?? '' } }),
    ...anew,
    enabled: coach !== null,
  });
  const assignment = useAction(assignCoach, {
    success: ({ assigned, coachName }) => ({
      title: 'Assignment Successful',
      message: `${counted(assigned, 'participant')} assigned to ${coachName}.`,
    }),
    failureTitle: 'Assignment Failed',
    onSuccess: props.onDone,
  });
  return (
    <ActForm
      {...props}
      count={ids.length}
      preview={coach ? preview : null}
      can={({ coachName }) => `can be assigned to ${coachName}`}
      verb="Assign"
      isRunning={assignment.isRunning}
      onConfirm={({ ready }) => coach && assignment.run({ body: { participantIds: ready, coachId: coach.id } })}
    >
      <CoachSelect
        label="Coach"
        description="Participants who have a coach keep them."
        value={coach}
        onChange={setCoach}
        clearable
      />
    </ActForm>
  );
}

function Enrol({ ids, ...props }: PeopleActProps) {
  const [cohortId, setCohortId] = useState<string | null>(null);
  const preview = useQuery({
    ...queryFor(previewEnrolments, { body: { userIds: ids, cohortId: cohortId ?? '' } }),
    ...anew,
    enabled: cohortId !== null,
  });
  const enrolment = useAction(enrolPeople, {
    success: ({ enrolled, cohortName }) =>
      enrolled > 0
        ? {
            title: 'Cohort Assignment Successful',
            message: `${counted(enrolled, 'person is', 'people are')} in ${cohortName} now.`,
          }
        : null,
    failureTitle: 'Assignment Failed',
    onSuccess: ({ refused }) => {
      props.onDone();
      tellOfRefused(refused, 'person', 'people');
    },
  });
  return (
    <ActForm
      {...props}
      count={ids.length}
      preview={cohortId ? preview : null}
      can={({ cohortName }) => `can be enrolled in ${cohortName}`}
      verb="Enroll"
      isRunning={enrolment.isRunning}
      onConfirm={({ ready }) => cohortId && enrolment.run({ body: { userIds: ready, cohortId } })}
    >
      <CohortSelect value={cohortId} onChange={setCohortId} />
    </ActForm>
  );
}

function Invite({ ids, ...props }: PeopleActProps) {
  const preview = useQuery({ ...queryFor(previewInvitations, { body: { userIds: ids } }), ...anew });
  const inviting = useAction(resendUserInvitations, {
    success: ({ sent }) =>
      sent > 0 ? { title: 'Invitations Sent', message: `${counted(sent, 'invitation')} sent.` } : null,
    failureTitle: 'Invitations Not Sent',
    onSuccess: ({ refused }) => {
      props.onDone();
      tellOfRefused(refused, 'person', 'people');
    },
  });
  return (
    <ActForm
      {...props}
      count={ids.length}
      preview={preview}
      can={() => 'can be invited again'}
      means="They get a new link by email, for 7 days. Their earlier links stop working."
      verb="Invite"
      isRunning={inviting.isRunning}
      onConfirm={({ ready, at }) => inviting.run({ body: { userIds: ready, seenAt: at } })}
    />
  );
}

/** A preview is of this moment. */
const anew = { staleTime: 0, gcTime: 0 };

interface ActFormProps<Preview extends PeoplePreview> {
  /** The number of chosen people. */
  count: number;
  /** Null until there is something to preview. */
  preview: Read<Preview> | null;
  /** For example 'can be enrolled in Spring'. */
  can: (preview: Preview) => string;
  means?: string;
  verb: string;
  isRunning: boolean;
  onConfirm: (preview: Preview) => void;
  onClose: () => void;
  /** What is to be chosen first. */
  children?: ReactNode;
}

function ActForm<Preview extends PeoplePreview>({
  count,
  preview,
  can,
  means,
  verb,
  isRunning,
  onConfirm,
  onClose,
  children,
}: ActFormProps<Preview>) {
  const said = preview?.data;
  const ready = said?.ready.length ?? 0;
  return (
    <Stack gap="md">
      {children}
      {preview ? (
        <Loaded
          read={preview}
          failure="Can't preview changes"
          loading={{ label: 'Looking at the selected people', rows: 1 }}
        >
          {(data) => <WhatWillHappen preview={data} count={count} can={can(data)} means={means} />}
        </Loaded>
      ) : null}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {said && ready === 0 ? 'Close' : 'Cancel'}
        </Button>
        {said && ready === 0 ? null : (
          <Button disabled={!said} loading={isRunning} onClick={() => said && onConfirm(said)}>
            {said ? `${verb} ${counted(ready, 'person', 'people')}` : verb}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
