import { Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type CoachSession, cancelSession, updateSession } from '#contract/coach-sessions.ts';
import { isConflict } from '../../api/api-error.ts';
import { useAction } from '../../api/use-action.ts';
import { formatDateTime } from '../../ui/dates.ts';
import { LongText, WholeLine } from '../../ui/LongText.tsx';
import { TypingModal } from '../../ui/TypingModal.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { useSessionUpdate } from './use-session-update.ts';

interface DialogProps {
  session: CoachSession;
  onClose: () => void;
}

/** COACH-34, COACH-41: asks before anything changes. */
export function CancelDialog({ session, onClose }: DialogProps) {
  const [reason, setReason] = useState('');
  const cancel = useAction(cancelSession, {
    success: 'Session Cancelled',
    failureTitle: 'Cancel Failed',
    onSuccess: onClose,
    onError: (error) => {
      if (!isConflict(error)) return;
      onClose();
    },
  });
  return (
    <QuestionDialog
      title="Cancel the session"
      session={session}
      confirmLabel="Cancel the session"
      closeLabel="Keep the session"
      isDestructive
      isRunning={cancel.isRunning}
      onConfirm={() => cancel.run({ params: { id: session.id }, body: { reason: reason.trim() || null } })}
      onClose={onClose}
    >
      <LongText
        label="Reason"
        description="Optional. The participant is told that you cancelled, and why."
        autosize
        minRows={2}
        maxRows={6}
        maxLength={limitOf(cancelSession.body, 'reason')}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </QuestionDialog>
  );
}

/** COACH-32: asks what happened, so that it can be told apart later. */
export function NoShowDialog({ session, onClose }: DialogProps) {
  const [reason, setReason] = useState('');
  const [isAsked, setAsked] = useState(false);
  const update = useSessionUpdate(onClose);
  const noShowReason = reason.trim();
  const confirm = () => {
    setAsked(true);
    if (noShowReason) update.run({ params: { id: session.id }, body: { status: 'no_show', noShowReason } });
  };
  return (
    <QuestionDialog
      title="Mark as no-show"
      session={session}
      confirmLabel="Mark as no-show"
      closeLabel="Back"
      isRunning={update.isRunning}
      onConfirm={confirm}
      onClose={onClose}
    >
      <LongText
        label="What happened?"
        description={`For you and later conversations: ${session.firstName} does not see it.`}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={limitOf(updateSession.body, 'noShowReason')}
        required
        value={reason}
        error={isAsked && !noShowReason ? 'Please say what happened' : null}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        data-autofocus
      />
    </QuestionDialog>
  );
}

/** COACH-36, COACH-37 */
export function NotesDialog({ session, onClose }: DialogProps) {
  const [notes, setNotes] = useState(session.notes ?? '');
  const update = useSessionUpdate(onClose);
  return (
    <QuestionDialog
      title="Session notes"
      session={session}
      confirmLabel={session.isOverdue ? 'Save and complete' : 'Save notes'}
      closeLabel="Back"
      isRunning={update.isRunning}
      onConfirm={() => update.run({ params: { id: session.id }, body: { notes: notes.trim() || null } })}
      onClose={onClose}
    >
      <LongText
        label="Notes"
        autosize
        minRows={4}
        maxRows={14}
        maxLength={limitOf(updateSession.body, 'notes')}
        value={notes}
        onChange={({ currentTarget }) => setNotes(currentTarget.value)}
        data-autofocus
      />
    </QuestionDialog>
  );
}

export function LinkDialog({ session, onClose }: DialogProps) {
  const [link, setLink] = useState(session.teamsLink ?? '');
  const [isRefused, setRefused] = useState(false);
  const update = useSessionUpdate(onClose);
  const address = link.trim();
  const isWrong = address !== '' && !(URL.canParse(address) && new URL(address).protocol === 'https:');
  const confirm = () => {
    setRefused(isWrong);
    if (!isWrong) update.run({ params: { id: session.id }, body: { teamsLink: address || null } });
  };
  return (
    <QuestionDialog
      title="Meeting link"
      session={session}
      confirmLabel="Save link"
      closeLabel="Back"
      isRunning={update.isRunning}
      onConfirm={confirm}
      onClose={onClose}
    >
      <WholeLine
        label="Meeting link"
        description="Both of you can join from 15 minutes before the session."
        type="url"
        maxLength={limitOf(updateSession.body, 'teamsLink')}
        placeholder="https://"
        value={link}
        error={isRefused && isWrong ? 'The meeting link must begin with https://' : null}
        onChange={({ currentTarget }) => setLink(currentTarget.value)}
        data-autofocus
      />
    </QuestionDialog>
  );
}

interface QuestionDialogProps extends DialogProps {
  title: string;
  confirmLabel: string;
  closeLabel: string;
  isDestructive?: boolean;
  isRunning: boolean;
  onConfirm: () => void;
  children: ReactNode;
}

function QuestionDialog(props: QuestionDialogProps) {
  useReturnFocus();
  const { title, session, confirmLabel, closeLabel, isDestructive, isRunning, onConfirm, onClose, children } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onConfirm();
  };
  return (
    <TypingModal opened onClose={onClose} title={title}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text>
            {session.firstName} {session.lastName}, {formatDateTime(session.scheduledAt)}
          </Text>
          {children}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {closeLabel}
            </Button>
            <Button type="submit" color={isDestructive ? 'red.9' : undefined} loading={isRunning}>
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </TypingModal>
  );
}
