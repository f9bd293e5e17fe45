import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { User, UserOrder } from '#contract/user-management.ts';
import { paths } from '../../app/paths.ts';
import { counted } from '../../ui/counted.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { formatDateTime, formatDay } from '../../ui/dates.ts';
import { RowEditButtons } from '../../ui/RowEditButtons.tsx';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import { TwoLines } from '../../ui/TwoLines.tsx';
import type { Selection } from '../../ui/table-selection.tsx';
import { type UserAct, UserActions } from './UserActions.tsx';
import { PersonEditor, RoleEditor } from './UserEditor.tsx';
import type { UserEdit } from './use-user-edit.ts';
import { kindOf, nameOf, roleNames } from './user-words.ts';

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
  selection: Selection<User>;
}

/** USER-03, USER-08 */
export function UserTable({ rows, ownId, order, onOrder, edit, onEdit, onLeave, onAct, selection }: UserTableProps) {
  const { base } = edit;
  const isEdited = ({ id }: User) => id === base?.id;
  // A row in edit stays, even if somebody else's change would take it out of the list.
  const shown = base && !rows.some(isEdited) ? [base, ...rows] : rows;
  const columns: Column<User, UserOrder>[] = [
    {
      key: 'name',
      label: 'User',
      onPhone: 'first',
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
      width: 136,
      onPhone: 'second',
      cell: (user) => (isEdited(user) ? <RoleEditor edit={edit} /> : <RoleAndTrack user={user} />),
    },
    { key: 'programme', label: 'Cohorts and coach', width: 216, cell: (user) => <Programme user={user} /> },
    {
      key: 'account',
      label: 'Account',
      width: 192,
      onPhone: 'second',
      orders: [
        { order: 'newest', direction: 'descending' },
        { order: 'oldest', direction: 'ascending' },
      ],
      cell: (user) => <Account user={user} />,
    },
    {
      key: 'actions',
      label: 'Actions',
      width: 116,
      onPhone: 'firstEnd',
      cell: (user) =>
        isEdited(user) ? (
          <RowEditButtons edit={edit} />
        ) : (
          <UserActions user={user} isOwn={user.id === ownId} onEdit={onEdit} onAct={onAct} />
        ),
    },
  ];
  return (
    <DataTable
      label="Users"
      columns={columns}
      rows={shown}
      keyOf={({ id }) => id}
      order={order}
      onOrder={onOrder}
      minWidth={920}
      selection={selection}
    />
  );
}

function Person({ user, isOwn }: { user: User; isOwn: boolean }) {
  const name = (
    <Anchor component={Link} to={paths.person(user.id)} fw={700} c="inherit">
      {`${nameOf(user)}${isOwn ? ' (you)' : ''}`}
    </Anchor>
  );
  return <TwoLines first={name} second={user.email} />;
}

function RoleAndTrack({ user }: { user: User }) {
  return <TwoLines first={roleNames[user.role]} second={kindOf(user)} />;
}

/** USER-35, CASN-15 */
function Programme({ user: { role, cohorts, coach, coachedCount } }: { user: User }) {
  if (role === 'admin') return <TwoLines first="None" />;
  if (role === 'coach') return <TwoLines first={counted(coachedCount, 'participant')} />;
  return (
    <TwoLines
      first={
        cohorts.map(({ name, status }) => (status === 'active' ? name : `${name} (${status})`)).join(', ') ||
        'No cohort'
      }
      second={coach ? `Coach: ${nameOf(coach)}` : 'No coach'}
    />
  );
}

const invitationLooks: Record<NonNullable<User['invitation']>['state'], { tone: Tone; words: string }> = {
  sent: { tone: 'info', words: 'Invitation sent' },
  expired: { tone: 'warning', words: 'Invitation expired' },
  accepted: { tone: 'success', words: 'Invitation accepted' },
};

/** What is as it should be is plain text. A badge says that something is open. */
function Account({ user: { invitation, isEmailConfirmed, lastSignInAt, createdAt } }: { user: User }) {
  const { tone, words } = invitation
    ? invitationLooks[invitation.state]
    : isEmailConfirmed
      ? { tone: 'success' as const, words: 'Confirmed' }
      : { tone: 'warning' as const, words: 'Email not confirmed' };
  const created = `Created ${formatDay(createdAt, { withYear: true })}`;
  return (
    <TwoLines
      first={tone === 'success' ? words : <StatusBadge tone={tone}>{words}</StatusBadge>}
      second={lastSignInAt ? `Signed in ${formatDay(lastSignInAt, { withYear: true })}` : created}
      secondInFull={
        lastSignInAt ? `Last signed in ${formatDateTime(lastSignInAt)}, ${created.toLowerCase()}` : undefined
      }
    />
  );
}
