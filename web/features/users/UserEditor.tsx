import { Select, Stack, Text, TextInput } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { Role, roles, TrackType, trackTypes } from '#contract/roles.ts';
import { type User, UserChanges } from '#contract/user-management.ts';
import { Overtaken } from '../../ui/Overtaken.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { draftOf, type UserDraft, type UserEdit } from './use-user-edit.ts';
import { kindOf, noTrack, roleChangeMeans, roleNames, trackNames } from './user-words.ts';

const none = 'none';
const fieldNames: Record<keyof UserDraft, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  role: 'Role',
  trackType: 'Program type',
};

/** USER-08, USER-09: Enter saves, Esc leaves. */
export function PersonEditor({ edit, onLeave }: { edit: UserEdit; onLeave: () => void }) {
  const { base, form, theirs } = edit;
  const { draft, errors } = form;
  const saveOrLeave = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') edit.save();
    if (key === 'Escape') onLeave();
  };
  return (
    <Stack gap="xs" miw={180}>
      {theirs ? (
        <Overtaken
          own={draft}
          theirs={draftOf(theirs)}
          fieldNames={fieldNames}
          inWords={inWords}
          onKeepOwn={edit.keepOwn}
          onTakeTheirs={edit.takeTheirs}
        />
      ) : null}
      {(['firstName', 'lastName'] as const).map((field) => (
        <TextInput
          key={field}
          id={form.idOf(field)}
          size="sm"
          label={fieldNames[field]}
          value={draft[field]}
          error={errors[field]}
          maxLength={limitOf(UserChanges, field)}
          onChange={({ currentTarget }) => form.set({ [field]: currentTarget.value })}
          onKeyDown={saveOrLeave}
        />
      ))}
      <Text size="sm" c="dimmed">
        {base?.email}
      </Text>
    </Stack>
  );
}

export function RoleEditor({ edit }: { edit: UserEdit }) {
  const { base, form } = edit;
  const { draft, errors } = form;
  const meaning = base ? roleChangeMeans(base, draft.role) : null;
  return (
    <Stack gap="xs" miw={130}>
      <Select
        id={form.idOf('role')}
        size="sm"
        label={fieldNames.role}
        data={roles.map((role) => ({ value: role, label: roleNames[role] }))}
        value={draft.role}
        error={errors.role}
        allowDeselect={false}
        disabled={base?.can.changeRole === false}
        description={base?.can.changeRole === false ? whyRoleStays(base) : undefined}
        onChange={(role) => form.set({ role: Role.parse(role) })}
      />
      <Select
        id={form.idOf('trackType')}
        size="sm"
        label={fieldNames.trackType}
        data={[
          { value: none, label: noTrack },
          ...trackTypes.map((track) => ({ value: track, label: kindIn(base, track) })),
        ]}
        value={draft.trackType ?? none}
        error={errors.trackType}
        allowDeselect={false}
        // USER-10
        onChange={(track) => form.set({ trackType: TrackType.safeParse(track).data ?? null })}
      />
      {meaning ? (
        <Text size="sm" role="status">
          {meaning}
        </Text>
      ) : null}
    </Stack>
  );
}

/** The person's program names their present kind. */
function kindIn(base: User | null | undefined, kind: TrackType): string {
  return base?.trackType === kind ? kindOf(base) : trackNames[kind];
}

function whyRoleStays({ isEmailConfirmed }: User): string {
  return isEmailConfirmed ? 'Another admin can change it.' : 'It can be changed once they have confirmed their email.';
}

function inWords(draft: UserDraft, field: keyof UserDraft): string {
  if (field === 'role') return roleNames[draft.role];
  if (field === 'trackType') return draft.trackType ? trackNames[draft.trackType] : noTrack;
  return draft[field];
}
