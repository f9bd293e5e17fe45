import '../../../styles/later.css';
import { Button, Checkbox, Stack } from '@mantine/core';
import { useState } from 'react';
import { signOut } from '#contract/accounts.ts';
import { rememberedDays, verifySecondFactor } from '#contract/second-factor.ts';
import { useAction } from '../../../api/use-action.ts';
import { CodeOrRecoveryCodeField } from './CodeField.tsx';
import { useCodeForm } from './use-code-form.ts';

interface SecondFactorFormProps {
  onDone: () => void;
  /** Runs after the half-way session has ended. */
  onLeave: () => void;
}

/** Completes a sign-in of any kind. Leaving it signs out. */
export function SecondFactorForm({ onDone, onLeave }: SecondFactorFormProps) {
  const { field, submit, kind, given, setKind, refuse } = useCodeForm();
  const [isDeviceRemembered, setDeviceRemembered] = useState(false);
  const verify = useAction(verifySecondFactor, { onSuccess: onDone, onError: refuse });
  const leave = useAction(signOut, { failureTitle: 'Sign Out Failed', onSuccess: onLeave });
  return (
    <form noValidate onSubmit={submit(() => verify.run({ body: { given, isDeviceRemembered } }))}>
      <Stack gap="md">
        <CodeOrRecoveryCodeField kind={kind} onKindChange={setKind} inputProps={field} />
        <Checkbox
          label={`Remember this device for ${rememberedDays} days`}
          checked={isDeviceRemembered}
          onChange={(event) => setDeviceRemembered(event.currentTarget.checked)}
        />
        <Button type="submit" loading={verify.isRunning} fullWidth size="md">
          Confirm
        </Button>
        <Button variant="subtle" fullWidth loading={leave.isRunning} onClick={() => leave.run({})}>
          Back to sign in
        </Button>
      </Stack>
    </form>
  );
}
