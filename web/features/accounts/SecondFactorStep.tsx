import { Button, Checkbox, Stack } from '@mantine/core';
import { useState } from 'react';
import { signOut } from '#contract/accounts.ts';
import { rememberedDays, verifySecondFactor } from '#contract/second-factor.ts';
import { refetchSession } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { AccountFrame } from './AccountFrame.tsx';
import { CodeOrRecoveryCodeField } from './CodeField.tsx';
import { useCodeForm } from './use-code-form.ts';

/** Completes a sign-in, whichever way it began; leaving it signs out. */
export function SecondFactorStep({ onDone }: { onDone: () => void }) {
  const { form, kind, given, setKind, refuse } = useCodeForm();
  const [isDeviceRemembered, setDeviceRemembered] = useState(false);
  const verify = useAction(verifySecondFactor, { onSuccess: onDone, onError: refuse });
  const leave = useAction(signOut, {
    failureTitle: 'Sign Out Failed',
    onSuccess: async () => {
      await refetchSession();
    },
  });
  return (
    <AccountFrame title="Enter your code" lead="Your account has a second factor.">
      <form noValidate onSubmit={form.onSubmit(() => verify.run({ body: { given, isDeviceRemembered } }))}>
        <Stack gap="md">
          <CodeOrRecoveryCodeField kind={kind} onKindChange={setKind} inputProps={form.getInputProps('code')} />
          <Checkbox
            label={`Remember this device for ${rememberedDays} days`}
            checked={isDeviceRemembered}
            onChange={(event) => setDeviceRemembered(event.currentTarget.checked)}
          />
          <Button type="submit" loading={verify.isRunning} fullWidth size="md">
            Confirm
          </Button>
          <Button variant="subtle" fullWidth loading={leave.isRunning} onClick={() => leave.run({})}>
            Back to sign-in
          </Button>
        </Stack>
      </form>
    </AccountFrame>
  );
}
