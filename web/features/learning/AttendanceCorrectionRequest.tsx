import { Anchor, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import {
  askForAttendanceCorrection,
  type OwnCorrection,
  readOwnAttendanceCorrections,
  withdrawAttendanceCorrection,
} from '#contract/attendance-corrections.ts';
import { messageOf } from '../../api/api-error.ts';
import { queryFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { correctionLooks } from './correction-looks.ts';

interface AttendanceCorrectionRequestProps {
  activityId: string;
  isCompleted: boolean;
  /** Who can record it alone asks nobody. */
  canRecord: boolean;
}

/** A participant says that the record is wrong, and reads what became of it. */
export function AttendanceCorrectionRequest({ activityId, isCompleted, canRecord }: AttendanceCorrectionRequestProps) {
  const [isAsking, setIsAsking] = useState(false);
  const own = useQuery(queryFor(readOwnAttendanceCorrections, { params: { id: activityId } }));
  const withdraw = useAction(withdrawAttendanceCorrection, {
    success: 'Request Taken Back',
    failureTitle: 'Taking Back Failed',
    refreshes: [readOwnAttendanceCorrections],
  });
  if (own.isError) {
    return (
      <ErrorState
        title="Your requests for a correction could not be read"
        message={messageOf(own.error)}
        onRetry={() => void own.refetch()}
        isRetrying={own.isFetching}
      />
    );
  }
  if (!own.data) return null;
  const { rows, refusal } = own.data;
  const open = rows.find(({ status }) => status === 'open');
  const answered = rows.filter(({ status }) => status === 'accepted' || status === 'declined');
  return (
    <Stack gap="sm">
      {open ? (
        <Stack gap={4}>
          <RequestLine request={open} />
          <Button
            size="compact-md"
            variant="default"
            w="fit-content"
            loading={withdraw.isRunning}
            onClick={() => withdraw.run({ params: { id: open.id } })}
          >
            Take the request back
          </Button>
        </Stack>
      ) : null}
      {answered.map((request) => (
        <RequestLine key={request.id} request={request} />
      ))}
      {open || canRecord ? null : refusal ? (
        <Text size="sm" c="dimmed">
          {refusal}
        </Text>
      ) : (
        <Anchor component="button" type="button" size="sm" w="fit-content" py={4} onClick={() => setIsAsking(true)}>
          {isCompleted ? 'I did not attend this' : 'I attended, but it is not recorded'}
        </Anchor>
      )}
      <Modal opened={isAsking} onClose={() => setIsAsking(false)} title="Ask for a correction">
        <Question activityId={activityId} isCompleted={isCompleted} onClose={() => setIsAsking(false)} />
      </Modal>
    </Stack>
  );
}

function RequestLine({ request }: { request: OwnCorrection }) {
  const { tone, label } = correctionLooks[request.status];
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      <Group gap="sm">
        <StatusBadge tone={tone}>{label}</StatusBadge>
        <Text size="sm" c="dimmed" component="div">
          Asked <DateTime value={request.askedAt} />
        </Text>
      </Group>
      <Text size="sm" mt={4}>
        {request.attended ? 'You say that you attended: ' : 'You say that you did not attend: '}
        {request.reason}
      </Text>
      {request.answer ? (
        <Text size="sm">
          {request.answeredBy}: {request.answer}
        </Text>
      ) : null}
    </div>
  );
}

interface QuestionProps extends Omit<AttendanceCorrectionRequestProps, 'canRecord'> {
  onClose: () => void;
}

function Question({ activityId, isCompleted, onClose }: QuestionProps) {
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const { run, isRunning } = useAction(askForAttendanceCorrection, {
    success: 'Correction Asked For',
    failureTitle: 'Request Failed',
    refreshes: [readOwnAttendanceCorrections],
    onSuccess: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim()) return run({ params: { id: activityId }, body: { attended: !isCompleted, reason } });
    setProblem('Please say what is wrong.');
    field.current?.focus();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text>
          {isCompleted
            ? 'Your record says that you attended. Your coach reads your reason and takes the record back, or says why not.'
            : 'Nothing is recorded for you. Your coach reads your reason and records that you attended, or says why not.'}
        </Text>
        <Textarea
          ref={field}
          label="Reason"
          autosize
          minRows={3}
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
            Ask for a correction
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
