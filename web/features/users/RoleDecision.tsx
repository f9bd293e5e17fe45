import { useRef } from 'react';
import { approveRoleRequest, declineRoleRequest, type RoleRequest } from '#contract/users.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { roleChangeMeans } from './user-words.ts';

export interface Decision {
  request: RoleRequest;
  isApproval: boolean;
}

/** Asks before a request is approved or declined. It names the person. */
export function RoleDecision({ decision, onClose }: { decision: Decision | null; onClose: () => void }) {
  // The words stay readable while the dialog closes.
  const last = useRef(decision);
  last.current = decision ?? last.current;
  const shared = {
    failureTitle: 'Request Not Decided',
    onSuccess: onClose,
    // Somebody else decided it, or its person is gone. The list says so.
    onError: () => {
      onClose();
    },
  };
  const approve = useAction(approveRoleRequest, { ...shared, success: 'Role Request Approved' });
  const decline = useAction(declineRoleRequest, { ...shared, success: 'Role Request Declined' });
  if (!last.current) return null;

  const { request, isApproval } = last.current;
  const { id, firstName, lastName, email, role, requestedRole } = request;
  const action = isApproval ? approve : decline;
  return (
    <ConfirmDialog
      isOpen={decision !== null}
      title={isApproval ? 'Approve role request' : 'Decline role request'}
      confirmLabel={isApproval ? `Make ${requestedRole}` : 'Decline request'}
      isDestructive={!isApproval}
      isRunning={action.isRunning}
      onConfirm={() => action.run({ params: { id }, body: { requestedRole } })}
      onClose={onClose}
    >
      <b>
        {firstName} {lastName}
      </b>{' '}
      ({email}){' '}
      {isApproval
        ? `becomes ${withArticle(requestedRole)} at once. ${roleChangeMeans(request, requestedRole) ?? ''}`
        : `stays ${withArticle(role)} and we email them.`}
    </ConfirmDialog>
  );
}

function withArticle(role: RoleRequest['role']): string {
  return role === 'admin' ? 'an admin' : `a ${role}`;
}
