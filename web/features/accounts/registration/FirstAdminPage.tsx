import { Button, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { z } from 'zod';
import { createFirstAdmin } from '#contract/accounts.ts';
import { useAction } from '../../../api/use-action.ts';
import { paths } from '../../../app/paths.ts';
import { limitOf } from '../../../ui/text-limit.ts';
import { useForm } from '../../../ui/use-form.ts';
import { AccountFrame } from '../AccountFrame.tsx';
import { NewAdminFields } from './NewAdminFields.tsx';

const schema = (createFirstAdmin.body as NonNullable<typeof createFirstAdmin.body>).and(
  z
    .object({ password: z.string(), confirmation: z.string() })
    .refine(({ password, confirmation }) => password === confirmation, {
      path: ['confirmation'],
      message: 'Passwords do not match',
    }),
);

/** The way into an empty instance. The server's log has its address, with the one-time token. */
export function FirstAdminPage() {
  const navigate = useNavigate();
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '');
  const form = useForm({ token, firstName: '', lastName: '', email: '', password: '', confirmation: '' });
  const action = useAction(createFirstAdmin, {
    success: () => ({ title: 'Admin Created', message: 'You can sign in now.' }),
    failureTitle: 'Creation Failed',
    onSuccess: () => void navigate({ to: paths.login, replace: true }),
    onError: (error) => form.showRefusal(error),
  });

  return (
    <AccountFrame
      title="Create the first admin"
      lead="For a new Switchyard without an admin. The link in the server's log works once."
    >
      <form
        noValidate
        onSubmit={form.submit(schema, ({ confirmation: _confirmation, ...body }) => action.run({ body }))}
      >
        <Stack gap="md">
          {token ? null : (
            <TextInput
              label="Token"
              maxLength={limitOf(createFirstAdmin.body, 'token')}
              description="You can find it in the server's log."
              required
              withAsterisk={false}
              {...form.field('token')}
            />
          )}
          <NewAdminFields form={form} isOwnAccount />
          <Button type="submit" loading={action.isRunning} fullWidth size="md">
            Create admin
          </Button>
        </Stack>
      </form>
    </AccountFrame>
  );
}
