import { Button, Group, Stack, Text } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import { z } from 'zod';
import { type CoachSession, cancelSession, updateSession } from '#contract/coach-sessions.ts';
import { isConflict } from '../../api/api-error.ts';
import { useAction } from '../../api/use-action.ts';
import { formatDateTime } from '../../ui/dates.ts';
import { LongText, WholeLine } from '../../ui/LongText.tsx';
import { TypingModal } from '../../ui/TypingModal.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { useForm, written } from '../../ui/use-form.ts';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { useSessionUpdate } from './use-session-update.ts';

const noShow = z.object({ reason: written('Please say what happened') });
const meetingLink = z.object({
  link: z
    .string()
    .trim()
    .refine(
      (link) => link === '' || (URL.canParse(link) && new URL(link).protocol === 'https:'),
      'The meeting link must begin with https://',
    ),
});

interface DialogProps {
  session: CoachSession;
  onClose: () => void;
}

/** COACH-34, COACH-41: asks before anything changes. */
export function CancelDialog({ session, onClose }: DialogProps) {
  const form = useForm({ reason: '' });
  const cancel = useAction(cancelSession, {
    success: 'Session Cancelled',
    failureTitle: 'Cancel Failed',
    onSuccess: onClose,
    onError: (error) => {
      if (isConflict(error)) onClose();
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
      onSubmit={form.submit(({ reason }) =>
        cancel.run({ params: { id: session.id }, body: { reason: reason.trim() || null } }),
      )}
      onClose={onClose}
    >
      <LongText
        label="Reason"
        description="Optional. We tell the participant that you cancelled, and why."
        autosize
        minRows={2}
        maxRows={6}
        maxLength={limitOf(cancelSession.body, 'reason')}
        {...form.field('reason')}
      />
    </QuestionDialog>
  );
}

/** COACH-32: asks what happened, so that it can be told apart later. */
export function NoShowDialog({ session, onClose }: DialogProps) {
  const form = useForm({ reason: '' });
  const update = useSessionUpdate(onClose);
  return (
    <QuestionDialog
      title="Mark as no-show"
      session={session}
      confirmLabel="Mark as no-show"
      closeLabel="Back"
      isRunning={update.isRunning}
      onSubmit={form.submit(noShow, ({ reason }) =>
        update.run({ params: { id: session.id }, body: { status: 'no_show', noShowReason: reason.trim() } }),
      )}
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
        {...form.field('reason')}
        data-autofocus
      />
    </QuestionDialog>
  );
}

/** COACH-36, COACH-37 */
export function NotesDialog({ session, onClose }: DialogProps) {
  const form = useForm({ notes: session.notes ?? '' });
  const update = useSessionUpdate(onClose);
  return (
    <QuestionDialog
      title="Session notes"
      session={session}
      confirmLabel={session.isOverdue ? 'Save and complete' : 'Save notes'}
      closeLabel="Back"
      isRunning={update.isRunning}
      onSubmit={form.submit(({ notes }) =>
        update.run({ params: { id: session.id }, body: { notes: notes.trim() || null } }),
      )}
      onClose={onClose}
    >
      <LongText
        label="Notes"
        autosize
        minRows={4}
        maxRows={14}
        maxLength={limitOf(updateSession.body, 'notes')}
        {...form.field('notes')}
        data-autofocus
      />
    </QuestionDialog>
  );
}

export function LinkDialog({ session, onClose }: DialogProps) {
  const form = useForm({ link: session.teamsLink ?? '' });
  const update = useSessionUpdate(onClose);
  return (
    <QuestionDialog
      title="Meeting link"
      session={session}
      confirmLabel="Save link"
      closeLabel="Back"
      isRunning={update.isRunning}
      onSubmit={form.submit(meetingLink, ({ link }) =>
        update.run({ params: { id: session.id }, body: { teamsLink: link || null } }),
      )}
      onClose={onClose}
    >
      <WholeLine
        label="Meeting link"
        description="Both of you can join from 15 minutes before the session."
        type="url"
        maxLength={limitOf(updateSession.body, 'teamsLink')}
        placeholder="https://"
        {...form.field('link')}
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
  onSubmit: FormEventHandler;
  children: ReactNode;
}

function QuestionDialog(props: QuestionDialogProps) {
  useReturnFocus();
  const { title, session, confirmLabel, closeLabel, isDestructive, isRunning, onSubmit, onClose, children } = props;
  return (
    <TypingModal opened onClose={onClose} title={title}>
      <form onSubmit={onSubmit} noValidate>
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
