import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import {
  type AttendanceCorrection,
  answerAttendanceCorrection,
  listAttendanceCorrections,
} from '#contract/attendance-corrections.ts';
import { useAction } from '../../api/use-action.ts';

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
    <Modal
      opened={pending !== null}
      onClose={onClose}
      title={pending ? titleOf(pending) : ''}
      // Without a request there is nothing to show while it goes.
      transitionProps={{ exitDuration: 0 }}
    >
      {pending ? <AnswerForm key={pending.request.id} pending={pending} onClose={onClose} /> : null}
    </Modal>
  );
}

function AnswerForm({ pending, onClose }: { pending: PendingAnswer; onClose: () => void }) {
  const { request, accepts } = pending;
  const [answer, setAnswer] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const { run, isRunning } = useAction(answerAttendanceCorrection, {
    success: accepts ? 'Attendance Corrected' : 'Request Declined',
    failureTitle: 'Answer Failed',
    refreshes: [listAttendanceCorrections],
    onSuccess: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (accepts || answer.trim()) return run({ params: { id: request.id }, body: { accepts, answer } });
    setProblem('Please say why you decline it.');
    field.current?.focus();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text style={{ overflowWrap: 'anywhere' }}>{consequenceOf(pending)}</Text>
        <Textarea
          ref={field}
          label={accepts ? 'Answer (optional)' : 'Answer'}
          description={`${request.participantName} reads it.`}
          autosize
          minRows={2}
          maxLength={500}
          value={answer}
          onChange={({ currentTarget }) => {
            setAnswer(currentTarget.value);
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
            {titleOf(pending)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function consequenceOf({ request, accepts }: PendingAnswer): string {
  const { participantName, activityTitle, weekNumber, attended } = request;
  if (!accepts) return `The record of ${participantName} for ${activityTitle} stays as it is.`;
  const counts = attended ? 'will count as having attended' : 'will count as not having attended';
  return `${participantName} ${counts} ${activityTitle}, and the stipend of week ${weekNumber} is computed anew.`;
}
