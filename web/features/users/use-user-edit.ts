import type { ResponseOf } from '#contract/endpoint.ts';
import type { Role, TrackType } from '#contract/roles.ts';
import { listUsers, readUser, type User, UserChanges, updateUser } from '#contract/user-management.ts';
import { call } from '../../api/call.ts';
import { queryClient } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { fieldsThatDiffer, useForm } from '../../ui/use-form.ts';
import { useRowEdit } from '../../ui/use-row-edit.ts';
import { nameOf } from './user-words.ts';

/** The fields of a person that can be changed (USER-08). */
export interface UserDraft {
  firstName: string;
  lastName: string;
  role: Role;
  trackType: TrackType | null;
}

const emptyUser: UserDraft = { firstName: '', lastName: '', role: 'participant', trackType: null };

export type UserEdit = ReturnType<typeof useUserEdit>;

/** The one row in edit. */
export function useUserEdit() {
  const form = useForm(emptyUser);
  const { end, showRefusal, ...edit } = useRowEdit({
    form,
    draftOf,
    firstField: 'firstName',
    read: (id) => call(readUser, { params: { id } }),
  });
  const action = useAction(updateUser, {
    success: (user) => ({ title: 'User Updated', message: nameOf(user) }),
    failureTitle: 'Update Failed',
    onSuccess: (user) => {
      showInList(user);
      end();
    },
    onError: showRefusal,
  });
  return {
    ...edit,
    form,
    /** USER-14 */
    cancel: end,
    isSaving: action.isRunning,
    save: () => {
      const { base, theirs } = edit;
      if (!base || theirs) return;
      const changes = form.check(UserChanges, changesOf(base, form.draft));
      if (changes) action.run({ params: { id: base.id }, body: { ...changes, version: base.version } });
    },
  };
}

export function draftOf({ firstName, lastName, role, trackType }: User): UserDraft {
  return { firstName, lastName, role, trackType };
}

/** Sends only changed fields, so that another person's change beside them stays. */
function changesOf(base: User, draft: UserDraft): Partial<UserDraft> {
  return Object.fromEntries(fieldsThatDiffer(draft, draftOf(base)).map((field) => [field, draft[field]]));
}

type Page = ResponseOf<typeof listUsers>;

/** The lists that were read show the server's answer at once. */
function showInList(user: User): void {
  queryClient.setQueriesData<Page>(
    { queryKey: [listUsers.name] },
    (page) => page && { ...page, rows: page.rows.map((row) => (row.id === user.id ? user : row)) },
  );
}
