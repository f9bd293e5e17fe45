import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { type AttendanceRow, correctAttendance, readAttendance } from '#contract/activities.ts';
import { useAction } from '../../api/use-action.ts';
import { verbFor } from './AttendanceTable.tsx';

interface CorrectAttendanceProps {
  activityId: string;
  /** Null while nothing is corrected. */
  row: AttendanceRow | null;
  onClose: () => void;
}

/** Records that somebody attended, or takes that back; always with a reason, which is kept. */
export function CorrectAttendance({ activityId, row, onClose }: CorrectAttendanceProps) {
  return (
    <Modal
      opened={row !== null}
      onClose={onClose}
      title={row ? verbFor(row) : ''}
      // Without a row there is nothing to show while it goes.
      transitionProps={{ exitDuration: 0 }}
    >
      {row ? <Correction activityId={activityId} row={row} onClose={onClose} key={row.participantId} /> : null}
    </Modal>
  );
}

function Correction({ activityId, row, onClose }: CorrectAttendanceProps & { row: AttendanceRow }) {
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const { run, isRunning } = useAction(correctAttendance, {
    success: ({ attended }) => ({ title: attended ? 'Attendance Recorded' : 'Attendance Removed' }),
    failureTitle: 'Correction Failed',
    refreshes: [readAttendance],
    onSuccess: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim()) {
      const { participantId, attended } = row;
      run({ params: { id: activityId, participantId }, body: { attended: !attended, reason } });
      return;
    }
    setProblem('Please say why.');
    field.current?.focus();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text style={{ overflowWrap: 'anywhere' }}>
          {row.attended
            ? `${row.name} will count as not having attended this activity.`
            : `${row.name} will count as having attended this activity.`}
        </Text>
        <Textarea
          ref={field}
          label="Reason"
          description="Kept with the record; an admin can read it later."
          autosize
          minRows={2}
          maxLength={500}
          value={reason}
          onChange={({ currentTarget }) => {
            setReason(currentTarget.value);
            setProblem(null);
          }}
          error={problem}
          errorProps={{ role: 'alert' }}
          data-autofocus
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isRunning}>
            {verbFor(row)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
