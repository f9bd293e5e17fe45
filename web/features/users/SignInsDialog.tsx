import { Modal } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { listSignInsOfPerson, signInRecordInWords } from '#contract/sign-in-records.ts';
import type { User } from '#contract/user-management.ts';
import { pagesFor } from '../../api/query-for.ts';
import { EventList } from '../../ui/EventList.tsx';
import { nameOf } from './user-words.ts';

interface SignInsDialogProps {
  user: User | null;
  onClose: () => void;
}

/** Sign-ins to one person's account, and failed tries. */
export function SignInsDialog({ user, onClose }: SignInsDialogProps) {
  return (
    <Modal opened={user !== null} onClose={onClose} title={`Sign-ins: ${user ? nameOf(user) : ''}`}>
      {user ? <SignIns user={user} /> : null}
    </Modal>
  );
}

function SignIns({ user }: { user: User }) {
  const input = { params: { id: user.id }, query: {} };
  const list = useInfiniteQuery({ ...pagesFor(listSignInsOfPerson, input), refetchOnMount: 'always' });
  return <EventList name="sign-ins" label={`Sign-ins of ${nameOf(user)}`} list={list} inWords={signInRecordInWords} />;
}
