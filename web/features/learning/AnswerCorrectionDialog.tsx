import { type AttendanceCorrection, answerAttendanceCorrection } from '#contract/attendance-corrections.ts';
import { useAction } from '../../api/use-action.ts';
import { ReasonForm } from '../../ui/ReasonForm.tsx';
import { TypingModal } from '../../ui/TypingModal.tsx';
import { limitOf } from '../../ui/text-limit.ts';

export interface PendingAnswer {
  request: AttendanceCorrection;
  accepts: boolean;
}

interface AnswerCorrectionDialogProps {
  pending: PendingAnswer | null;
  onClose: () => void;
}

const titleOf = ({ accepts }: PendingAnswer) => (accepts ? 'Accept the request' : 'Decline the request');

export function AnswerCorrectionDialog({ pending, onClose }: AnswerCorrectionDialogProps) {
  return (
    <TypingModal
      opened={pending !== null}
      onClose={onClose}
      title={pending ? titleOf(pending) : ''}
      // Without a request, nothing is left to show while the dialog closes.
      transitionProps={{ exitDuration: 0 }}
    >
      {pending ? <AnswerForm key={pending.request.id} pending={pending} onClose={onClose} /> : null}
    </TypingModal>
  );
}

function AnswerForm({ pending, onClose }: { pending: PendingAnswer; onClose: () => void }) {
  const { request, accepts } = pending;
  const { run, isRunning } = useAction(answerAttendanceCorrection, {
    success: accepts ? 'Attendance Corrected' : 'Request Declined',
    failureTitle: 'Answer Failed',
    onSuccess: onClose,
  });
  return (
    <ReasonForm
      maxLength={limitOf(answerAttendanceCorrection.body, 'answer')}
      label={accepts ? 'Answer (optional)' : 'Answer'}
      description={`${request.participantName} reads it.`}
      isOptional={accepts}
      missing="Please say why you decline it."
      confirmLabel={titleOf(pending)}
      isRunning={isRunning}
      onConfirm={(answer) => run({ params: { id: request.id }, body: { accepts, answer } })}
      onClose={onClose}
    >
      {consequenceOf(pending)}
    </ReasonForm>
  );
}

function consequenceOf({ request, accepts }: PendingAnswer): string {
  const { participantName, activityTitle, weekNumber, attended } = request;
  if (!accepts) return `The record of ${participantName} for ${activityTitle} stays as it is.`;
  const counts = attended ? 'will count as having attended' : 'will count as not having attended';
  return `${participantName} ${counts} ${activityTitle}, and the stipend of week ${weekNumber} is worked out again.`;
}
