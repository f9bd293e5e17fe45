import type { AttendanceRow } from '#contract/activities.ts';
import { excuseAbsence, takeExcuseBack } from '#contract/programmes.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { ReasonForm } from '../../ui/ReasonForm.tsx';
import { TypingModal } from '../../ui/TypingModal.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { excuseVerbFor } from './AttendanceTable.tsx';

interface ExcuseAbsenceProps {
  activityId: string;
  /** Null while nobody is excused. */
  row: AttendanceRow | null;
  onClose: () => void;
}

/** Excuses an absence with a reason, or takes the excuse back after a question. It stays an absence. */
export function ExcuseAbsence({ activityId, row, onClose }: ExcuseAbsenceProps) {
  const isExcused = row !== null && row.excusedBecause !== null;
  const params = { activityId, participantId: row?.participantId ?? '' };
  const excuse = useAction(excuseAbsence, {
    success: 'Absence Excused',
    failureTitle: 'The absence could not be excused',
    onSuccess: onClose,
  });
  const takeBack = useAction(takeExcuseBack, {
    success: 'Excuse Taken Back',
    failureTitle: 'The excuse could not be taken back',
    onSuccess: onClose,
  });
  return (
    <>
      <TypingModal
        opened={row !== null && !isExcused}
        onClose={onClose}
        title={row ? excuseVerbFor(row) : ''}
        transitionProps={{ exitDuration: 0 }}
      >
        {row && !isExcused ? (
          <ReasonForm
            key={row.participantId}
            maxLength={limitOf(excuseAbsence.body, 'reason')}
            description="Coaches and admins can read it."
            confirmLabel={excuseVerbFor(row)}
            isRunning={excuse.isRunning}
            onConfirm={(reason) => excuse.run({ params, body: { reason } })}
            onClose={onClose}
          >
            {`${row.name} still counts as absent. Rules about unexcused absences do not count this one.`}
          </ReasonForm>
        ) : null}
      </TypingModal>
      <ConfirmDialog
        isOpen={isExcused}
        title="Take the excuse back?"
        confirmLabel="Take excuse back"
        isRunning={takeBack.isRunning}
        onConfirm={() => takeBack.run({ params })}
        onClose={onClose}
      >
        {`The absence of ${row?.name ?? ''} counts as unexcused.`}
      </ConfirmDialog>
    </>
  );
}
