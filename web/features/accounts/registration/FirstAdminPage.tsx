import { Button, Stack, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { z } from 'zod';
import { createFirstAdmin } from '#contract/accounts.ts';
import { useAction } from '../../../api/use-action.ts';
import { paths } from '../../../app/paths.ts';
import { limitOf } from '../../../ui/text-limit.ts';
import { AccountFrame } from '../AccountFrame.tsx';
import { focusFirstError, showServerErrors } from '../form-errors.ts';
import { NewAdminFields } from './NewAdminFields.tsx';

const schema = z
  .object({ ...createFirstAdmin.body?.shape, confirmation: z.string() })
  .refine(({ password, confirmation }) => password === confirmation, {
    path: ['confirmation'],
    message: 'Passwords do not match',
  });

/** The way into an empty instance. The server's log has its address, with the one-time token. */
export function FirstAdminPage() {
  const navigate = useNavigate();
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '');
  const form = useForm({
    initialValues: { token, firstName: '', lastName: '', email: '', password: '', confirmation: '' },
    validate: schemaResolver(schema, { sync: true }),
  });
  const action = useAction(createFirstAdmin, {
    success: () => ({ title: 'Admin Created', message: 'You can sign in now.' }),
    failureTitle: 'Creation Failed',
    onSuccess: () => void navigate({ to: paths.login, replace: true }),
    onError: (error) => showServerErrors(form, error),
  });

  return (
    <AccountFrame
      title="Create the first admin"
      lead="For an instance that has none yet. The link in the server's log works once."
    >
      <form
        noValidate
        onSubmit={form.onSubmit(
          ({ confirmation: _confirmation, ...body }) => action.run({ body }),
          (errors) => focusFirstError(form, errors),
        )}
      >
        <Stack gap="md">
          {token ? null : (
            <TextInput
              label="Token"
              maxLength={limitOf(createFirstAdmin.body, 'token')}
              description="It stands in the log of the server since its start."
              required
              withAsterisk={false}
              {...form.getInputProps('token')}
            />
          )}
          <NewAdminFields getInputProps={form.getInputProps} isOwnAccount />
          <Button type="submit" loading={action.isRunning} fullWidth size="md">
            Create admin
          </Button>
        </Stack>
      </form>
    </AccountFrame>
  );
}
