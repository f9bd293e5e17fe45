import { Alert, Box, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { Role, roles, TrackType, trackTypes } from '#contract/roles.ts';
import type { User } from '#contract/user-management.ts';
import { draftOf, type UserDraft, type UserEdit, userFields } from './use-user-edit.ts';
import { noTrack, roleChangeMeans, roleNames, trackNames } from './user-words.ts';

const none = 'none';
const fieldNames: Record<keyof UserDraft, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  role: 'Role',
  trackType: 'Track type',
};

/** USER-08, USER-09: Enter saves, Esc leaves. */
export function PersonEditor({ edit, onLeave }: { edit: UserEdit; onLeave: () => void }) {
  const { base, draft, errors, theirs } = edit;
  const saveOrLeave = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') edit.save();
    if (key === 'Escape') onLeave();
  };
  return (
    <Stack gap="xs" miw={180}>
      {theirs ? <Conflict edit={edit} /> : null}
      {(['firstName', 'lastName'] as const).map((field) => (
        <TextInput
          key={field}
          id={edit.idOf(field)}
          size="sm"
          label={fieldNames[field]}
          value={draft[field]}
          error={errors[field]}
          maxLength={100}
          onChange={({ currentTarget }) => edit.set({ [field]: currentTarget.value })}
          onKeyDown={saveOrLeave}
        />
      ))}
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {base?.email}
      </Text>
    </Stack>
  );
}

export function RoleEditor({ edit }: { edit: UserEdit }) {
  const { base, draft, errors } = edit;
  const meaning = base ? roleChangeMeans(base, draft.role) : null;
  return (
    <Stack gap="xs" miw={130}>
      <Select
        id={edit.idOf('role')}
        size="sm"
        label={fieldNames.role}
        data={roles.map((role) => ({ value: role, label: roleNames[role] }))}
        value={draft.role}
        error={errors.role}
        allowDeselect={false}
        disabled={base?.can.changeRole === false}
        description={base?.can.changeRole === false ? whyRoleStays(base) : undefined}
        onChange={(role) => edit.set({ role: Role.parse(role) })}
      />
      <Select
        id={edit.idOf('trackType')}
        size="sm"
        label={fieldNames.trackType}
        data={[
          { value: none, label: noTrack },
          ...trackTypes.map((track) => ({ value: track, label: trackNames[track] })),
        ]}
        value={draft.trackType ?? none}
        error={errors.trackType}
        allowDeselect={false}
        // USER-10
        onChange={(track) => edit.set({ trackType: TrackType.safeParse(track).data ?? null })}
      />
      {meaning ? (
        <Text size="sm" role="status">
          {meaning}
        </Text>
      ) : null}
    </Stack>
  );
}

export function EditActions({ edit }: { edit: UserEdit }) {
  return (
    <Group gap="xs">
      <Button
        size="compact-sm"
        onClick={edit.save}
        loading={edit.isSaving}
        disabled={edit.theirs !== null}
        title={edit.theirs ? 'Choose between both versions first' : undefined}
      >
        Save
      </Button>
      <Button variant="default" size="compact-sm" onClick={edit.cancel}>
        Cancel
      </Button>
    </Group>
  );
}

/** Somebody else has saved meanwhile: where both differ, both are shown, and the person decides. */
function Conflict({ edit: { draft, theirs, keepOwn, takeTheirs } }: { edit: UserEdit }) {
  if (!theirs) return null;
  const saved = draftOf(theirs);
  const differing = userFields.filter((field) => draft[field] !== saved[field]);
  return (
    <Alert color="yellow" title="Somebody else has changed this person" role="alert">
      <Stack gap="sm">
        {differing.length === 0 ? <Text size="sm">Both of you wrote the same.</Text> : null}
        {differing.map((field) => (
          <Box key={field} style={{ overflowWrap: 'anywhere' }}>
            <Text size="sm" fw={600}>
              {fieldNames[field]}
            </Text>
            <Text size="sm">Saved now: {inWords(saved, field)}</Text>
            <Text size="sm">Yours: {inWords(draft, field)}</Text>
          </Box>
        ))}
        <Group gap="sm">
          <Button variant="default" size="sm" onClick={keepOwn}>
            Go on with mine
          </Button>
          <Button variant="default" size="sm" onClick={takeTheirs}>
            Take what is saved
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function whyRoleStays({ isEmailConfirmed }: User): string {
  return isEmailConfirmed ? 'Another admin can change it.' : 'It can be changed once they have confirmed their e-mail.';
}

function inWords(draft: UserDraft, field: keyof UserDraft): string {
  if (field === 'role') return roleNames[draft.role];
  if (field === 'trackType') return draft.trackType ? trackNames[draft.trackType] : noTrack;
  return draft[field];
}
