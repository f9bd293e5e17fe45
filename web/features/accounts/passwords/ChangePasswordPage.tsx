import { Alert, Anchor, Button, Card, Stack, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft, ShieldAlert } from 'lucide-react';
import { changePassword, readSession } from '#contract/accounts.ts';
import { areRulesMet, changePasswordRules } from '#contract/passwords.ts';
import { refresh } from '../../../api/query-for.ts';
import { useSession } from '../../../api/session.ts';
import { useAction } from '../../../api/use-action.ts';
import { paths } from '../../../app/paths.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { PasswordChecklist } from './PasswordChecklist.tsx';
import { AccountName, NewPasswordFields, PasswordField } from './PasswordFields.tsx';

interface Values {
  currentPassword: string;
  newPassword: string;
  confirmation: string;
}

export function ChangePasswordPage() {
  const { user, mustChangePassword } = useSession();
  const navigate = useNavigate();
  const form = useForm<Values>({ currentPassword: '', newPassword: '', confirmation: '' });
  const { currentPassword, newPassword, confirmation } = form.draft;
  const rules = changePasswordRules(newPassword, confirmation);
  const action = useAction(changePassword, {
    success: () => ({ title: 'Password Updated Successfully', message: 'Your other devices were signed out.' }),
    failureTitle: 'Error Changing Password',
    // The guard lets the person go on only after it knows of the new password.
    onSuccess: () => void refresh([readSession]).then(() => navigate({ to: paths.dashboard })),
    onError: (error) => form.showRefusal(error),
  });

  const submit = (values: Values) => {
    const { confirmation: _confirmation, ...body } = values;
    if (areRulesMet(rules)) {
      action.run({ body });
      return;
    }
    const { field, title, message } = problemOf(values);
    showToast({
      type: 'error',
      title: 'Password Requirements Not Met',
      message: 'Please ensure your password meets all requirements.',
    });
    showToast({ type: 'error', title, message });
    form.showErrors({ [field]: message });
  };

  return (
    <>
      {mustChangePassword ? null : (
        <Anchor component={Link} to={paths.dashboard} size="sm" mb="xs" display="inline-flex">
          <ArrowLeft size={16} aria-hidden style={{ marginInlineEnd: 4 }} />
          Back to dashboard
        </Anchor>
      )}
      <PageHeader title="Change Password" lead="Your other devices are signed out when you change it." />
      {mustChangePassword ? <SetYourOwn /> : null}
      <Card maw={480}>
        <form noValidate onSubmit={form.submit(submit)}>
          <AccountName email={user?.email ?? ''} />
          <Stack gap="md">
            <PasswordField
              label="Current password"
              autoComplete="current-password"
              {...form.field('currentPassword')}
            />
            <NewPasswordFields form={form} field="newPassword" name="new password" />
            <PasswordChecklist rules={rules} />
            <Button
              type="submit"
              loading={action.isRunning}
              disabled={currentPassword === ''}
              aria-describedby={currentPassword === '' ? 'change-password-hint' : undefined}
            >
              Change password
            </Button>
            {currentPassword === '' ? (
              <Text size="sm" c="dimmed" id="change-password-hint">
                Enter your current password first.
              </Text>
            ) : null}
          </Stack>
        </form>
      </Card>
    </>
  );
}

/** Says why this screen opened instead of another. */
function SetYourOwn() {
  return (
    <Alert
      color="yellow"
      icon={<ShieldAlert size={18} aria-hidden />}
      title="Choose your own password first"
      role="status"
      maw={480}
      mb="lg"
    >
      An admin chose the password you signed in with. Change it here; then everything else is open to you.
    </Alert>
  );
}

/** PWD-08 */
function problemOf({ newPassword }: Values): { field: 'newPassword' | 'confirmation'; title: string; message: string } {
  return areRulesMet(changePasswordRules(newPassword, newPassword))
    ? { field: 'confirmation', title: 'Password Mismatch', message: 'Both passwords must be the same.' }
    : { field: 'newPassword', title: 'Weak Password', message: 'Please meet every requirement of the list.' };
}
