import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { turnOffSecondFactor } from '#contract/second-factor.ts';
import { useAction } from '../../../api/use-action.ts';
import { CodeOrRecoveryCodeField } from './CodeField.tsx';
import { useCodeForm } from './use-code-form.ts';

/** AUTH-67 */
export function TurnOffSecondFactor() {
  const [isOpen, dialog] = useDisclosure(false);
  const { field, submit, kind, given, setKind, refuse } = useCodeForm();
  const action = useAction(turnOffSecondFactor, {
    success: 'Second Factor Turned Off',
    onSuccess: dialog.close,
    onError: refuse,
  });
  const open = () => {
    setKind('code');
    dialog.open();
  };
  return (
    <>
      <Button variant="default" onClick={open}>
        Turn off
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title="Turn off the second factor">
        <form noValidate onSubmit={submit(() => action.run({ body: { given } }))}>
          <Stack gap="md">
            <Text>You then need only your password to sign in. We sign out your other devices.</Text>
            <CodeOrRecoveryCodeField kind={kind} onKindChange={setKind} inputProps={field} />
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={dialog.close}>
                Cancel
              </Button>
              <Button type="submit" color="red.9" loading={action.isRunning}>
                Turn off second factor
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
