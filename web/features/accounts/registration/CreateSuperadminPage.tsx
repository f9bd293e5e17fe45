import { Button, Card, Stack } from '@mantine/core';
import { useState } from 'react';
import { z } from 'zod';
import { createAdminUser } from '#contract/documented-functions.ts';
import { passwordLength } from '#contract/passwords.ts';
import { messageOf } from '../../../api/api-error.ts';
import { isSessionAlive } from '../../../api/session.ts';
import { useAction } from '../../../api/use-action.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { useUnsavedChanges } from '../../../ui/use-unsaved-changes.tsx';
import { NewAdminFields } from './NewAdminFields.tsx';

const schema = z
  .object({
    email: z.email('Please enter a valid email address'),
    password: z.string().min(passwordLength, `Password must be at least ${passwordLength} characters long`),
    confirmation: z.string().min(1, 'Please repeat the password'),
    firstName: z.string().trim().min(1, 'Please enter a first name'),
    lastName: z.string().trim().min(1, 'Please enter a last name'),
  })
  .refine(({ password, confirmation }) => password === confirmation, {
    path: ['confirmation'],
    message: 'Passwords do not match',
    when: () => true,
  });

type Values = z.infer<typeof schema>;

const failureTitle = 'Creation Failed';

/** SUPER-01 to SUPER-08 */
export function CreateSuperadminPage() {
  const [isChecking, setChecking] = useState(false);
  const form = useForm<Values>({ email: '', password: '', confirmation: '', firstName: '', lastName: '' });
  const { question } = useUnsavedChanges(form.isDirty);
  const action = useAction(createAdminUser, {
    failureTitle,
    onSuccess: ({ error }, { body }) => {
      if (error !== null) return showToast({ type: 'error', title: failureTitle, message: error });
      const message = `We emailed ${body.email} a link to set a password. With yours, they must change it when they sign in.`;
      showToast({ type: 'success', title: 'Superadmin Created', message });
      form.reset();
      form.focus('email');
    },
    onError: (error) => form.showRefusal(error),
  });

  const submit = async ({ confirmation: _confirmation, ...body }: Values) => {
    setChecking(true);
    try {
      if (await isSessionAlive()) action.run({ body });
      else showToast({ type: 'error', title: 'No valid session found', message: 'Please log in again' });
    } catch (error) {
      showToast({ type: 'error', title: failureTitle, message: messageOf(error) });
    } finally {
      setChecking(false);
    }
  };

  return (
    <>
      <PageHeader
        title="Create Superadmin Account"
        lead="A superadmin is an admin. For the first 7 days they cannot approve stipends, and all admins are told."
      />
      <Card maw={480}>
        <form noValidate onSubmit={form.submit(schema, (values) => void submit(values))}>
          <Stack gap="md">
            <NewAdminFields form={form} isOwnAccount={false} />
            <Button type="submit" loading={isChecking || action.isRunning}>
              Create superadmin
            </Button>
          </Stack>
        </form>
      </Card>
      {question}
    </>
  );
}
