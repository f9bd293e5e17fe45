import { Button, Group, Modal, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { z } from 'zod';
import { addPasskey, removePasskey, renamePasskey, requestPasskey, type WaysIn } from '#contract/identities.ts';
import { call } from '../../../api/call.ts';
import { useAction } from '../../../api/use-action.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { formatDay } from '../../../ui/dates.ts';
import { limitOf } from '../../../ui/text-limit.ts';
import { showToast } from '../../../ui/toast.tsx';
import { useForm, written } from '../../../ui/use-form.ts';
import { makePasskey } from './passkey.ts';
import { useDeviceAct } from './use-device-act.ts';

type Passkey = WaysIn['passkeys'][number];

export function Passkeys({ passkeys, canAdd }: { passkeys: Passkey[]; canAdd: boolean }) {
  if (!canAdd && passkeys.length === 0) return null;
  return (
    <Stack gap="md">
      <Title order={3}>Passkeys</Title>
      <Text c="dimmed">A passkey signs you in with your fingerprint, face or the PIN of your device.</Text>
      {passkeys.map((passkey) => (
        <PasskeyRow key={passkey.id} passkey={passkey} />
      ))}
      {canAdd ? <AddPasskey /> : null}
    </Stack>
  );
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const close = () => setOpen(null);
  const rename = useAction(renamePasskey, {
    success: 'Passkey Renamed',
    failureTitle: 'Not Renamed',
    onSuccess: close,
  });
  const remove = useAction(removePasskey, {
    success: 'Passkey Removed',
    failureTitle: 'Not Removed',
    onSuccess: close,
  });
  const params = { id: passkey.id };
  return (
    <Group justify="space-between" gap="sm">
      <div>
        <Text fw={600}>{passkey.name}</Text>
        <Text size="sm" c="dimmed">
          Added on {formatDay(passkey.createdAt)}.{' '}
          {passkey.lastUsedAt ? `Last used on ${formatDay(passkey.lastUsedAt)}.` : 'Not used yet.'}
          {passkey.canRemove ? '' : ' You cannot remove your last way to sign in.'}
        </Text>
      </div>
      <Group gap="sm">
        <Button variant="default" aria-label={`Rename ${passkey.name}`} onClick={() => setOpen('rename')}>
          Rename
        </Button>
        {passkey.canRemove ? (
          <Button variant="default" aria-label={`Remove ${passkey.name}`} onClick={() => setOpen('remove')}>
            Remove
          </Button>
        ) : null}
      </Group>
      <NameDialog
        isOpen={open === 'rename'}
        title="Rename the passkey"
        initialName={passkey.name}
        confirmLabel="Rename passkey"
        isRunning={rename.isRunning}
        onConfirm={(name) => rename.run({ params, body: { name } })}
        onClose={close}
      />
      <ConfirmDialog
        isOpen={open === 'remove'}
        title="Remove the passkey?"
        confirmLabel="Remove passkey"
        isDestructive
        isRunning={remove.isRunning}
        onConfirm={() => remove.run({ params })}
        onClose={close}
      >
        You can no longer sign in with {passkey.name}.
      </ConfirmDialog>
    </Group>
  );
}

function AddPasskey() {
  const [isOpen, setOpen] = useState(false);
  const action = useDeviceAct(
    async (name: string) => {
      const { options } = await call(requestPasskey);
      return call(addPasskey, { body: { name, response: await makePasskey(options) } });
    },
    {
      failureTitle: 'Passkey Not Added',
      onSuccess: () => {
        setOpen(false);
        showToast({ type: 'success', title: 'Passkey Added' });
      },
    },
  );
  return (
    <div>
      <Button variant="default" onClick={() => setOpen(true)}>
        Add a passkey
      </Button>
      <NameDialog
        isOpen={isOpen}
        title="Add a passkey"
        initialName=""
        confirmLabel="Continue on the device"
        isRunning={action.isRunning}
        onConfirm={action.run}
        onClose={() => setOpen(false)}
      />
    </div>
  );
}

const named = z.object({ name: written('Please enter a name') });

interface NameDialogProps {
  isOpen: boolean;
  title: string;
  initialName: string;
  confirmLabel: string;
  isRunning: boolean;
  onConfirm: (name: string) => void;
  onClose: () => void;
}

function NameDialog(props: NameDialogProps) {
  return (
    <Modal opened={props.isOpen} onClose={props.onClose} title={props.title}>
      <NameForm {...props} />
    </Modal>
  );
}

/** Mounts with its dialog, so that it starts with the present name. */
function NameForm({ initialName, confirmLabel, isRunning, onConfirm, onClose }: NameDialogProps) {
  const form = useForm({ name: initialName });
  return (
    <form noValidate onSubmit={form.submit(named, ({ name }) => onConfirm(name.trim()))}>
      <Stack gap="md">
        <TextInput
          label="Name of the passkey"
          description="A name you will recognize, like 'My phone'."
          maxLength={limitOf(renamePasskey.body, 'name')}
          data-autofocus
          {...form.field('name')}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isRunning}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
