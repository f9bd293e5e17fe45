import { Alert } from '@mantine/core';
import { Hourglass } from 'lucide-react';
import { useSignedInUser } from '../../../api/session.ts';

/** Shown to a person who asked for another role, until an admin decides (AUTH-17). */
export function PendingRoleRequest() {
  const { role, requestedRole } = useSignedInUser();
  if (requestedRole === null) return null;
  return (
    <Alert
      color="indigo"
      icon={<Hourglass size={18} aria-hidden />}
      title={`Your request to become ${requestedRole === 'admin' ? 'an admin' : 'a coach'} is pending`}
      role="status"
      mb="lg"
    >
      An admin decides, and we email you. Until then you use Switchyard as a {role}.
    </Alert>
  );
}
