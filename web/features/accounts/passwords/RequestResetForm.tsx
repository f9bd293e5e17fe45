import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { z } from 'zod';
import { requestPasswordReset } from '#contract/accounts.ts';
import { useAction } from '../../../api/use-action.ts';
import { limitOf } from '../../../ui/text-limit.ts';
import { showToast } from '../../../ui/toast.tsx';
import { useForm, written } from '../../../ui/use-form.ts';

const missing = 'Please enter your email address';
const schema = z.object({ email: written(missing) });

export function RequestResetForm() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({ email: '' });
  const action = useAction(requestPasswordReset, {
    success: () => ({ title: 'Reset Email Sent', message: 'Please check your inbox.' }),
    failureTitle: 'Reset Failed',
    onSuccess: (_reply, { body }) => setSentTo(body.email),
    onError: (error) => form.showRefusal(error),
  });

  return (
    <form
      noValidate
      onSubmit={form.submit(
        schema,
        ({ email }) => action.run({ body: { email: email.trim() } }),
        () => showToast({ type: 'error', title: 'Email Required', message: missing }),
      )}
    >
      <Stack gap="md">
        {sentTo === null ? null : (
          <Alert color="teal" icon={<MailCheck size={18} aria-hidden />} title="Check your inbox" role="status">
            If {sentTo} has an account, an email with a link is on its way.
          </Alert>
        )}
        <TextInput
          label="Email"
          maxLength={limitOf(requestPasswordReset.body, 'email')}
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          {...form.field('email')}
        />
        <Button type="submit" loading={action.isRunning} fullWidth size="md">
          Send reset link
        </Button>
        <Text size="sm" c="dimmed">
          Reset links expire after 1 hour.
        </Text>
      </Stack>
    </form>
  );
}
