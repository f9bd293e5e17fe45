import { useId, useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { Role, TrackType } from '#contract/roles.ts';
import { listUsers, readUser, type User, UserChanges, updateUser } from '#contract/user-management.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryClient } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { nameOf } from './user-words.ts';

/** What can be changed of a person, as it stands in the fields (USER-08). */
export interface UserDraft {
  firstName: string;
  lastName: string;
  role: Role;
  trackType: TrackType | null;
}
type Field = keyof UserDraft;

export const userFields = ['firstName', 'lastName', 'role', 'trackType'] as const;

export type UserEdit = ReturnType<typeof useUserEdit>;

/** The one row that is in edit. */
export function useUserEdit() {
  /** As it was when the edit began. */
  const [base, setBase] = useState<User | null>(null);
  /** As somebody else has changed it since. */
  const [theirs, setTheirs] = useState<User | null>(null);
  const [draft, setDraft] = useState<UserDraft>({ firstName: '', lastName: '', role: 'participant', trackType: null });
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const formId = useId();
  const idOf = (field: Field) => `${formId}-${field}`;

  const end = () => {
    setBase(null);
    setTheirs(null);
    if (base) focusAfterDrawing(editButtonId(base.id));
  };
  const begin = (user: User) => {
    setBase(user);
    setTheirs(null);
    setDraft(draftOf(user));
    setErrors({});
    focusAfterDrawing(idOf('firstName'));
  };
  const refuse = (issues: { path: string; message: string }[]) => {
    const found = Object.fromEntries(issues.toReversed().map(({ path, message }) => [path, message]));
    setErrors(found);
    const first = userFields.find((field) => found[field]);
    if (first) document.getElementById(idOf(first))?.focus();
  };
  const action = useAction(updateUser, {
    success: (user) => ({ title: 'User Updated', message: nameOf(user) }),
    failureTitle: 'Update Failed',
    refreshes: [listUsers],
    onSuccess: (user) => {
      showInList(user);
      end();
    },
    onError: (error) => {
      if (!(error instanceof ApiError) || !base) return;
      if (error.code === 'stale') void readTheirs(base.id);
      refuse(error.fieldErrors);
    },
  });
  // Where this fails too, the next save is refused again, and asks again.
  const readTheirs = (id: string) => call(readUser, { params: { id } }).then(setTheirs, () => undefined);

  return {
    base,
    theirs,
    draft,
    errors,
    idOf,
    begin,
    set: (changes: Partial<UserDraft>) => {
      setDraft((before) => ({ ...before, ...changes }));
      setErrors((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !(field in changes))));
    },
    /** USER-14 */
    cancel: end,
    isSaving: action.isRunning,
    isDirty: base !== null && userFields.some((field) => draft[field] !== base[field]),
    save: () => {
      if (!base || theirs) return;
      const parsed = UserChanges.safeParse(changesOf(base, draft));
      if (parsed.success) action.run({ params: { id: base.id }, body: { ...parsed.data, version: base.version } });
      else refuse(parsed.error.issues.map(({ path, message }) => ({ path: String(path[0]), message })));
    },
    keepOwn: () => {
      setBase(theirs);
      setTheirs(null);
    },
    takeTheirs: () => theirs && begin(theirs),
  };
}

export function editButtonId(userId: string): string {
  return `edit-${userId}`;
}

export function draftOf({ firstName, lastName, role, trackType }: User): UserDraft {
  return { firstName, lastName, role, trackType };
}

/** Only what was changed: what somebody else has changed beside it stays. */
function changesOf(base: User, draft: UserDraft): Partial<UserDraft> {
  return Object.fromEntries(
    userFields.filter((field) => draft[field] !== base[field]).map((field) => [field, draft[field]]),
  );
}

type Page = ResponseOf<typeof listUsers>;

/** The lists that were read show at once what the server answered. */
function showInList(user: User): void {
  queryClient.setQueriesData<Page>(
    { queryKey: [listUsers.name] },
    (page) => page && { ...page, rows: page.rows.map((row) => (row.id === user.id ? user : row)) },
  );
}

function focusAfterDrawing(elementId: string): void {
  requestAnimationFrame(() => document.getElementById(elementId)?.focus());
}
