import { TextInput, type TextInputProps } from '@mantine/core';
import { passwordLength } from '#contract/passwords.ts';
import { NewPasswordFields } from './PasswordFields.tsx';

interface NewAdminFieldsProps {
  getInputProps: (path: string) => object;
  /** Whoever fills the form in makes their own account: the browser may offer what it knows of them. */
  isOwnAccount: boolean;
}

/** SUPER-01 */
export function NewAdminFields({ getInputProps, isOwnAccount }: NewAdminFieldsProps) {
  const text = (path: string, label: string, autoComplete: string): TextInputProps => ({
    label,
    autoComplete: isOwnAccount ? autoComplete : 'off',
    required: true,
    withAsterisk: false,
    ...getInputProps(path),
  });
  return (
    <>
      <TextInput type="email" {...text('email', 'Email', 'email')} />
      <NewPasswordFields
        getInputProps={getInputProps}
        field="password"
        name="password"
        description={`At least ${passwordLength} characters`}
      />
      <TextInput {...text('firstName', 'First name', 'given-name')} />
      <TextInput {...text('lastName', 'Last name', 'family-name')} />
    </>
  );
}
