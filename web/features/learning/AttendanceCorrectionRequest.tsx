import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  askForAttendanceCorrection,
  type OwnCorrection,
  readOwnAttendanceCorrections,
  withdrawAttendanceCorrection,
} from '#contract/attendance-corrections.ts';
import { queryFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { ReadFailure } from '../../ui/Loaded.tsx';
import { ReasonForm } from '../../ui/ReasonForm.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { TypingModal } from '../../ui/TypingModal.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { correctionLooks } from './correction-looks.ts';

interface AttendanceCorrectionRequestProps {
  activityId: string;
  isCompleted: boolean;
  /** True for a person who can record it alone. They ask nobody. */
  canRecord: boolean;
  /** The screen says already when it can be done. */
  isToCome: boolean;
}

/** A participant says that the record is wrong, and reads the answer. */
export function AttendanceCorrectionRequest({
  activityId,
  isCompleted,
  canRecord,
  isToCome,
}: AttendanceCorrectionRequestProps) {
  const [isAsking, setIsAsking] = useState(false);
  const own = useQuery(queryFor(readOwnAttendanceCorrections, { params: { id: activityId } }));
  const withdraw = useAction(withdrawAttendanceCorrection, {
    success: 'Request Taken Back',
    failureTitle: 'Taking Back Failed',
  });
  const failure = <ReadFailure read={own} failure="Your requests for a correction could not be loaded" />;
  if (!own.data) return failure;
  const { rows, refusal } = own.data;
  const open = rows.find(({ status }) => status === 'open');
  const answered = rows.filter(({ status }) => status === 'accepted' || status === 'declined');
  return (
    <Stack gap="sm">
      {failure}
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
      {open || canRecord || (refusal && isToCome) ? null : refusal ? (
        <Text size="sm" c="dimmed">
          {refusal}
        </Text>
      ) : (
        <Anchor component="button" type="button" size="sm" w="fit-content" py={4} onClick={() => setIsAsking(true)}>
          {isCompleted ? 'Mark as not done' : 'I attended, but it is not recorded'}
        </Anchor>
      )}
      <TypingModal opened={isAsking} onClose={() => setIsAsking(false)} title="Ask for a correction">
        <Question activityId={activityId} isCompleted={isCompleted} onClose={() => setIsAsking(false)} />
      </TypingModal>
    </Stack>
  );
}

function RequestLine({ request }: { request: OwnCorrection }) {
  const { tone, label } = correctionLooks[request.status];
  return (
    <div>
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

interface QuestionProps extends Omit<AttendanceCorrectionRequestProps, 'canRecord' | 'isToCome'> {
  onClose: () => void;
}

function Question({ activityId, isCompleted, onClose }: QuestionProps) {
  const { run, isRunning } = useAction(askForAttendanceCorrection, {
    success: 'Correction Asked For',
    failureTitle: 'Request Failed',
    onSuccess: onClose,
  });
  return (
    <ReasonForm
      maxLength={limitOf(askForAttendanceCorrection.body, 'reason')}
      missing="Please say what is wrong."
      minRows={3}
      confirmLabel="Ask for a correction"
      isRunning={isRunning}
      onConfirm={(reason) => run({ params: { id: activityId }, body: { attended: !isCompleted, reason } })}
      onClose={onClose}
    >
      {isCompleted
        ? 'Your record says that you attended. Your coach reads your reason and removes the record, or says why not.'
        : 'Nothing is recorded for you. Your coach reads your reason and records that you attended, or says why not.'}
    </ReasonForm>
  );
}
