import { TextInput, type TextInputProps } from '@mantine/core';
import { createAdminUser } from '#contract/documented-functions.ts';
import { passwordLength } from '#contract/passwords.ts';
import { limitOf } from '../../../ui/text-limit.ts';
import type { FieldsOf } from '../../../ui/use-form.ts';
import { NewPasswordFields } from '../passwords/PasswordFields.tsx';

interface NewAdminFieldsProps {
  form: FieldsOf<'email' | 'firstName' | 'lastName' | 'password' | 'confirmation'>;
  /** True if people make their own account. Then the browser may offer what it knows of them. */
  isOwnAccount: boolean;
}

/** SUPER-01 */
export function NewAdminFields({ form, isOwnAccount }: NewAdminFieldsProps) {
  const text = (path: 'email' | 'firstName' | 'lastName', label: string, autoComplete: string): TextInputProps => ({
    label,
    autoComplete: isOwnAccount ? autoComplete : 'off',
    required: true,
    withAsterisk: false,
    ...form.field(path),
  });
  return (
    <>
      <TextInput type="email" maxLength={limitOf(createAdminUser.body, 'email')} {...text('email', 'Email', 'email')} />
      <NewPasswordFields
        form={form}
        field="password"
        name="password"
        description={`At least ${passwordLength} characters`}
      />
      <TextInput
        maxLength={limitOf(createAdminUser.body, 'firstName')}
        {...text('firstName', 'First name', 'given-name')}
      />
      <TextInput
        maxLength={limitOf(createAdminUser.body, 'lastName')}
        {...text('lastName', 'Last name', 'family-name')}
      />
    </>
  );
}
