import { Button, Group, Menu } from '@mantine/core';
import { GraduationCap, History, LogOut, MailPlus, Trash2 } from 'lucide-react';
import type { User } from '#contract/user-management.ts';
import { RowMenu } from '../../ui/RowMenu.tsx';
import { editButtonId } from '../../ui/use-row-edit.ts';
import { nameOf } from './user-words.ts';

/** A dialog asks about each of these acts first. */
export type UserAct = 'delete' | 'enrol' | 'invite' | 'signIns' | 'signOut';

interface UserActionsProps {
  user: User;
  isOwn: boolean;
  onEdit: (user: User) => void;
  onAct: (act: UserAct, user: User) => void;
}

export function UserActions({ user, isOwn, onEdit, onAct }: UserActionsProps) {
  const name = nameOf(user);
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      <Button
        id={editButtonId(user.id)}
        variant="default"
        size="compact-sm"
        aria-label={`Edit ${name}`}
        onClick={() => onEdit(user)}
      >
        Edit
      </Button>
      {isOwn && !user.can.resendInvitation ? null : (
        <RowMenu name={name}>
          {user.can.enrol ? (
            <Menu.Item leftSection={<GraduationCap size={14} aria-hidden />} onClick={() => onAct('enrol', user)}>
              Enroll in a cohort
            </Menu.Item>
          ) : null}
          {user.can.resendInvitation ? (
            <Menu.Item leftSection={<MailPlus size={14} aria-hidden />} onClick={() => onAct('invite', user)}>
              Send invitation again
            </Menu.Item>
          ) : null}
          <Menu.Item leftSection={<History size={14} aria-hidden />} onClick={() => onAct('signIns', user)}>
            Recent sign-ins
          </Menu.Item>
          {isOwn ? null : (
            <Menu.Item leftSection={<LogOut size={14} aria-hidden />} onClick={() => onAct('signOut', user)}>
              Sign out everywhere
            </Menu.Item>
          )}
          {user.can.delete ? (
            <>
              <Menu.Divider />
              <Menu.Item
                color="var(--status-danger)"
                leftSection={<Trash2 size={14} aria-hidden />}
                onClick={() => onAct('delete', user)}
              >
                Delete user
              </Menu.Item>
            </>
          ) : null}
        </RowMenu>
      )}
    </Group>
  );
}
