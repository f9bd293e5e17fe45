import { type AttendanceRow, correctAttendance } from '#contract/activities.ts';
import { useAction } from '../../api/use-action.ts';
import { ReasonForm } from '../../ui/ReasonForm.tsx';
import { TypingModal } from '../../ui/TypingModal.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { verbFor } from './AttendanceTable.tsx';

interface CorrectAttendanceProps {
  activityId: string;
  /** Null while nothing is corrected. */
  row: AttendanceRow | null;
  onClose: () => void;
}

/** Records that somebody attended, or takes that back. It always takes a reason, which is kept. */
export function CorrectAttendance({ activityId, row, onClose }: CorrectAttendanceProps) {
  return (
    <TypingModal
      opened={row !== null}
      onClose={onClose}
      title={row ? verbFor(row) : ''}
      // Without a row, nothing is left to show while the dialog closes.
      transitionProps={{ exitDuration: 0 }}
    >
      {row ? <Correction activityId={activityId} row={row} onClose={onClose} key={row.participantId} /> : null}
    </TypingModal>
  );
}

function Correction({ activityId, row, onClose }: CorrectAttendanceProps & { row: AttendanceRow }) {
  const { participantId, attended, name } = row;
  const { run, isRunning } = useAction(correctAttendance, {
    success: ({ attended: isRecorded }) => ({ title: isRecorded ? 'Attendance Recorded' : 'Attendance Removed' }),
    failureTitle: 'Correction Failed',
    onSuccess: onClose,
  });
  return (
    <ReasonForm
      maxLength={limitOf(correctAttendance.body, 'reason')}
      description="Kept with the record; an admin can read it later."
      confirmLabel={verbFor(row)}
      isRunning={isRunning}
      onConfirm={(reason) => run({ params: { id: activityId, participantId }, body: { attended: !attended, reason } })}
      onClose={onClose}
    >
      {attended
        ? `${name} will count as not having attended this activity.`
        : `${name} will count as having attended this activity.`}
    </ReasonForm>
  );
}
