import { Button, Stack, TextInput } from '@mantine/core';
import { useEffect } from 'react';
import { areRulesMet, resetPasswordRules } from '#contract/passwords.ts';
import { showToast } from '../../../ui/toast.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { PasswordChecklist } from './PasswordChecklist.tsx';
import { NewPasswordFields } from './PasswordFields.tsx';

interface NewPasswordFormProps {
  /** The address of the account whose password is set. */
  email: string;
  isSaving: boolean;
  /** The server's refusal of the last password. The field shows it. */
  refusal: unknown;
  onSubmit: (newPassword: string) => void;
}

/** New password, confirmation and the six requirements, for /password-reset and /set-password. */
export function NewPasswordForm({ email, isSaving, refusal, onSubmit }: NewPasswordFormProps) {
  const form = useForm({ newPassword: '', confirmation: '' });
  const rules = resetPasswordRules(form.draft.newPassword, form.draft.confirmation);
  const isComplete = areRulesMet(rules);
  // biome-ignore lint/correctness/useExhaustiveDependencies: Each refusal shows once. The form is new in every render.
  useEffect(() => form.showRefusal(refusal), [refusal]);

  const submit = ({ newPassword }: { newPassword: string }) => {
    if (isComplete) {
      onSubmit(newPassword);
      return;
    }
    showToast({
      type: 'error',
      title: 'Password Requirements Not Met',
      message: 'Please ensure your password meets all requirements.',
    });
    form.focus('newPassword');
  };

  return (
    <form noValidate onSubmit={form.submit(submit)}>
      <Stack gap="md">
        <TextInput label="Email" type="email" value={email} readOnly autoComplete="username" variant="filled" />
        <NewPasswordFields form={form} field="newPassword" name="new password" />
        <PasswordChecklist rules={rules} />
        {/* The button looks and reads as disabled, yet it works: a press says what is missing (AUTH-32). */}
        <Button
          type="submit"
          loading={isSaving}
          fullWidth
          size="md"
          aria-disabled={!isComplete}
          data-disabled={isComplete ? undefined : true}
        >
          Set new password
        </Button>
      </Stack>
    </form>
  );
}
