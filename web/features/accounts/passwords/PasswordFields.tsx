import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import type { FieldsOf } from '../../../ui/use-form.ts';

/** AUTH-02: the keyboard reaches the toggle too. Its name leaves out 'password', the name of the field beside it. */
const toggle = { 'aria-label': 'Show or hide what is typed', tabIndex: 0 };

interface PasswordFieldProps extends Omit<PasswordInputProps, 'visibilityToggleButtonProps'> {
  label: string;
  /** Tells a password manager what to do here. */
  autoComplete: 'current-password' | 'new-password';
}

export function PasswordField(props: PasswordFieldProps) {
  return (
    <PasswordInput
      required
      withAsterisk={false}
      visibilityToggleButtonProps={toggle}
      aria-invalid={Boolean(props.error)}
      {...props}
    />
  );
}

/** Tells a password manager whose password a form is about, if the form shows no address. */
export function AccountName({ email }: { email: string }) {
  return <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />;
}

interface NewPasswordFieldsProps<Field extends 'password' | 'newPassword'> {
  form: FieldsOf<Field | 'confirmation'>;
  field: Field;
  /** The name within a sentence: 'password' or 'new password'. */
  name: string;
  description?: string;
}

/** A field to choose a new password, and one to confirm it. */
export function NewPasswordFields<Field extends 'password' | 'newPassword'>({
  form,
  field,
  name,
  description,
}: NewPasswordFieldsProps<Field>) {
  return (
    <>
      <PasswordField
        label={`${name.charAt(0).toUpperCase()}${name.slice(1)}`}
        description={description}
        autoComplete="new-password"
        {...form.field(field)}
      />
      <PasswordField label={`Confirm ${name}`} autoComplete="new-password" {...form.field('confirmation')} />
    </>
  );
}
