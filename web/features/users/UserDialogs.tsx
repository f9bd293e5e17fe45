import { List, Stack, Text } from '@mantine/core';
import { useRef } from 'react';
import { endSessionsOfPerson } from '#contract/sessions.ts';
import { deleteUser, resendInvitation, type User } from '#contract/user-management.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { counted } from '../../ui/counted.ts';
import { cancelledSessions, nameOf } from './user-words.ts';

interface UserDialogProps {
  /** Null while nothing is asked. */
  user: User | null;
  onClose: () => void;
}

/** USER-16 to USER-18 */
export function DeleteUserDialog({ user, onClose, onDeleted }: UserDialogProps & { onDeleted: () => void }) {
  const shown = useLast(user);
  const removal = useAction(deleteUser, {
    success: () => ({ title: 'User Deleted', message: shown ? nameOf(shown) : null }),
    failureTitle: 'Delete Failed',
    onSuccess: () => {
      onClose();
      onDeleted();
    },
    onError: () => {
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen={user !== null}
      title="Delete User"
      confirmLabel="Delete user"
      isDestructive
      isRunning={removal.isRunning}
      onConfirm={() => user && removal.run({ params: { id: user.id } })}
      onClose={onClose}
    >
      {shown ? (
        <Stack gap="sm">
          <Text>
            <b>{nameOf(shown)}</b> ({shown.email}) is signed out at once and can no longer sign in.
          </Text>
          <List size="sm" spacing={4}>
            {shown.cohorts.length > 0 ? (
              <List.Item>They leave {shown.cohorts.map(({ name }) => name).join(', ')}; the place is free.</List.Item>
            ) : null}
            {shown.coachedCount > 0 ? (
              <List.Item>{counted(shown.coachedCount, 'participant')} will be without a coach.</List.Item>
            ) : null}
            {cancelledSessions(shown).map((words) => (
              <List.Item key={words}>{words}</List.Item>
            ))}
            <List.Item>Their files and personal details are removed.</List.Item>
            <List.Item>Payments, reviews and messages that others received stay, under ‘Deleted user’.</List.Item>
          </List>
          <Text>This cannot be undone.</Text>
        </Stack>
      ) : null}
    </ConfirmDialog>
  );
}

export function SignOutDialog({ user, onClose }: UserDialogProps) {
  const shown = useLast(user);
  const ending = useAction(endSessionsOfPerson, {
    success: ({ ended }) => ({ title: 'Signed Out Everywhere', message: `${counted(ended, 'session')} ended.` }),
    failureTitle: 'Sign-out Failed',
    onSuccess: onClose,
    onError: onClose,
  });
  return (
    <ConfirmDialog
      isOpen={user !== null}
      title="Sign out everywhere"
      confirmLabel="Sign out everywhere"
      isDestructive
      isRunning={ending.isRunning}
      onConfirm={() => user && ending.run({ params: { id: user.id } })}
      onClose={onClose}
    >
      <b>{shown ? nameOf(shown) : ''}</b> is signed out on every device at once, and can sign in again. We log this.
    </ConfirmDialog>
  );
}

export function InviteAgainDialog({ user, onClose }: UserDialogProps) {
  const shown = useLast(user);
  const inviting = useAction(resendInvitation, {
    success: () => ({ title: 'Invitation Sent', message: shown?.email ?? null }),
    failureTitle: 'Invitation Not Sent',
    onSuccess: onClose,
    onError: onClose,
  });
  return (
    <ConfirmDialog
      isOpen={user !== null}
      title="Send invitation again"
      confirmLabel="Send invitation"
      isRunning={inviting.isRunning}
      onConfirm={() => user && inviting.run({ params: { id: user.id } })}
      onClose={onClose}
    >
      <b>{shown ? nameOf(shown) : ''}</b> gets an email with a new link at {shown?.email}. It works for 7 days. The
      earlier link stops working.
    </ConfirmDialog>
  );
}

/** The words stay readable while the dialog closes. */
function useLast(user: User | null): User | null {
  const last = useRef(user);
  last.current = user ?? last.current;
  return last.current;
}
