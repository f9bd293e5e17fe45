import { TextInput, type TextInputProps } from '@mantine/core';
import { createAdminUser } from '#contract/documented-functions.ts';
import { passwordLength } from '#contract/passwords.ts';
import { limitOf } from '../../../ui/text-limit.ts';
import { NewPasswordFields } from '../passwords/PasswordFields.tsx';

interface NewAdminFieldsProps {
  getInputProps: (path: string) => object;
  /** True if people make their own account. Then the browser may offer what it knows of them. */
  isOwnAccount: boolean;
}

/** SUPER-01 */
export function NewAdminFields({ getInputProps, isOwnAccount }: NewAdminFieldsProps) {
  const text = (path: 'email' | 'firstName' | 'lastName', label: string, autoComplete: string): TextInputProps => ({
    label,
    autoComplete: isOwnAccount ? autoComplete : 'off',
    required: true,
    withAsterisk: false,
    ...getInputProps(path),
  });
  return (
    <>
      <TextInput type="email" maxLength={limitOf(createAdminUser.body, 'email')} {...text('email', 'Email', 'email')} />
      <NewPasswordFields
        getInputProps={getInputProps}
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
