import { Alert, Button, Stack, Text } from '@mantine/core';
import { MailCheck } from 'lucide-react';
import { resendConfirmation } from '#contract/accounts.ts';
import { useAction } from '../../api/use-action.ts';

/** Offered where a sign-in was refused because the address is not confirmed. */
export function ResendConfirmation({ email }: { email: string }) {
  const action = useAction(resendConfirmation, {
    failureTitle: 'Confirmation Not Sent',
    success: () => ({ title: 'Confirmation Sent', message: `Please look into the mailbox of ${email}.` }),
  });
  return (
    <Alert mt="md" icon={<MailCheck size={18} aria-hidden />} title="Confirm your e-mail address first" role="status">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">We sent you a mail with a link when you registered.</Text>
        <Button variant="default" size="sm" loading={action.isRunning} onClick={() => action.run({ body: { email } })}>
          Send it again
        </Button>
      </Stack>
    </Alert>
  );
}
