import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { User, UserOrder } from '#contract/user-management.ts';
import { counted } from '../../ui/counted.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { formatDay } from '../../ui/dates.ts';
import { RowEditButtons } from '../../ui/RowEditButtons.tsx';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import wrapping from '../../ui/wrapping.module.css';
import { type UserAct, UserActions } from './UserActions.tsx';
import { PersonEditor, RoleEditor } from './UserEditor.tsx';
import type { UserEdit } from './use-user-edit.ts';
import { nameOf, noTrack, roleNames, trackNames } from './user-words.ts';

interface UserTableProps {
  rows: User[];
  ownId: string;
  order: UserOrder;
  onOrder: (order: UserOrder) => void;
  edit: UserEdit;
  onEdit: (user: User) => void;
  /** Ends the edit of the row. */
  onLeave: () => void;
  onAct: (act: UserAct, user: User) => void;
}

/** USER-03, USER-08 */
export function UserTable({ rows, ownId, order, onOrder, edit, onEdit, onLeave, onAct }: UserTableProps) {
  const { base } = edit;
  const isEdited = ({ id }: User) => id === base?.id;
  // A row in edit stays, even if somebody else's change would take it out of the list.
  const shown = base && !rows.some(isEdited) ? [base, ...rows] : rows;
  const columns: Column<User, UserOrder>[] = [
    {
      key: 'name',
      label: 'User',
      orders: [{ order: 'name', direction: 'ascending' }],
      cell: (user) =>
        isEdited(user) ? (
          <PersonEditor edit={edit} onLeave={onLeave} />
        ) : (
          <Person user={user} isOwn={user.id === ownId} />
        ),
    },
    {
      key: 'role',
      label: 'Role and track',
      width: 150,
      cell: (user) => (isEdited(user) ? <RoleEditor edit={edit} /> : <RoleAndTrack user={user} />),
    },
    { key: 'programme', label: 'Cohorts and coach', cell: (user) => <Programme user={user} /> },
    {
      key: 'account',
      label: 'Account',
      width: 200,
      orders: [
        { order: 'newest', direction: 'descending' },
        { order: 'oldest', direction: 'ascending' },
      ],
      cell: (user) => <Account user={user} />,
    },
    {
      key: 'actions',
      label: 'Actions',
      width: 205,
      cell: (user) =>
        isEdited(user) ? (
          <RowEditButtons edit={edit} />
        ) : (
          <UserActions user={user} isOwn={user.id === ownId} onEdit={onEdit} onAct={onAct} />
        ),
    },
  ];
  return (
    <DataTable label="Users" columns={columns} rows={shown} keyOf={({ id }) => id} order={order} onOrder={onOrder} />
  );
}

function Person({ user, isOwn }: { user: User; isOwn: boolean }) {
  return (
    <Stack gap={2} miw={160}>
      <Text size="sm" fw={600}>
        {nameOf(user)}
        {isOwn ? ' (you)' : ''}
      </Text>
      <Text size="sm" c="dimmed">
        {user.email}
      </Text>
    </Stack>
  );
}

function RoleAndTrack({ user: { role, trackType } }: { user: User }) {
  return (
    <Stack gap={2}>
      <Text size="sm" className={wrapping.wholeWords}>
        {roleNames[role]}
      </Text>
      <Text size="sm" c="dimmed">
        {trackType ? trackNames[trackType] : noTrack}
      </Text>
    </Stack>
  );
}

/** USER-35, CASN-15 */
function Programme({ user: { role, cohorts, coach, coachedCount } }: { user: User }) {
  if (role === 'admin') return <Dimmed>None</Dimmed>;
  if (role === 'coach') return <Dimmed>{counted(coachedCount, 'participant')}</Dimmed>;
  return (
    <Stack gap={2} miw={140}>
      {cohorts.length === 0 ? <Dimmed>No cohort</Dimmed> : null}
      {cohorts.map(({ id, name, status }) => (
        <Text size="sm" key={id}>
          {name} ({status})
        </Text>
      ))}
      <Dimmed>{coach ? `Coach: ${nameOf(coach)}` : 'No coach'}</Dimmed>
    </Stack>
  );
}

const invitationLooks: Record<NonNullable<User['invitation']>['state'], { tone: Tone; words: string }> = {
  sent: { tone: 'info', words: 'Invitation sent' },
  expired: { tone: 'warning', words: 'Invitation expired' },
  accepted: { tone: 'success', words: 'Invitation accepted' },
};

function Account({ user: { invitation, isEmailConfirmed, lastSignInAt, createdAt } }: { user: User }) {
  const { tone, words } = invitation
    ? invitationLooks[invitation.state]
    : isEmailConfirmed
      ? { tone: 'success' as const, words: 'Confirmed' }
      : { tone: 'warning' as const, words: 'Email not confirmed' };
  return (
    <Stack gap={4} align="flex-start">
      <StatusBadge tone={tone}>{words}</StatusBadge>
      {lastSignInAt ? (
        <Dimmed>
          Last sign-in <DateTime value={lastSignInAt} />
        </Dimmed>
      ) : (
        <Dimmed>Never signed in</Dimmed>
      )}
      <Dimmed>
        Created <time dateTime={createdAt}>{formatDay(createdAt, { withYear: true })}</time>
      </Dimmed>
    </Stack>
  );
}

function Dimmed({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" component="div">
      {children}
    </Text>
  );
}
