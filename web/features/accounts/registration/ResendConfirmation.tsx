import { Alert, Button, Stack, Text } from '@mantine/core';
import { MailCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { resendConfirmation } from '#contract/registration.ts';
import { useAction } from '../../../api/use-action.ts';
import { wrappingButton } from '../wrapping-button.ts';

interface ResendConfirmationProps {
  title: string;
  /** The confirmation goes to this address. */
  email: string;
  children: ReactNode;
}

/**
 * Tells about a confirmation that may be under way, and sends the mail again. Never says whether there is an account.
 */
export function ResendConfirmation({ title, email, children }: ResendConfirmationProps) {
  const action = useAction(resendConfirmation, {
    failureTitle: 'Confirmation Not Sent',
    success: () => ({
      title: 'Confirmation Sent',
      message: `If ${email} still needs confirming, a new email is on its way.`,
    }),
  });
  return (
    <Alert mb="md" icon={<MailCheck size={18} aria-hidden />} title={title} role="status">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{children}</Text>
        <Button
          variant="default"
          size="sm"
          maw="100%"
          {...wrappingButton}
          loading={action.isRunning}
          onClick={() => action.run({ body: { email } })}
        >
          Send the confirmation again
        </Button>
      </Stack>
    </Alert>
  );
}
