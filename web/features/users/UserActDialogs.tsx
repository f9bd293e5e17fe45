import type { User } from '#contract/user-management.ts';
import { EnrolDialog } from './EnrolDialog.tsx';
import { SignInsDialog } from './SignInsDialog.tsx';
import type { UserAct } from './UserActions.tsx';
import { DeleteUserDialog, InviteAgainDialog, SignOutDialog } from './UserDialogs.tsx';

export interface AskedAct {
  act: UserAct;
  user: User;
}

interface UserActDialogsProps {
  /** Null while nothing is asked. */
  asked: AskedAct | null;
  onClose: () => void;
  onDeleted: () => void;
}

/** The dialogs of `UserActions`. */
export function UserActDialogs({ asked, onClose, onDeleted }: UserActDialogsProps) {
  const askedFor = (act: UserAct) => (asked?.act === act ? asked.user : null);
  const enrolled = askedFor('enrol');
  return (
    <>
      <DeleteUserDialog user={askedFor('delete')} onClose={onClose} onDeleted={onDeleted} />
      <SignOutDialog user={askedFor('signOut')} onClose={onClose} />
      <SignInsDialog user={askedFor('signIns')} onClose={onClose} />
      <InviteAgainDialog user={askedFor('invite')} onClose={onClose} />
      {enrolled ? <EnrolDialog user={enrolled} onClose={onClose} /> : null}
    </>
  );
}
