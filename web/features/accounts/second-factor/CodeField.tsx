import { Anchor, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { type CodeOrRecoveryCode, RecoveryCode, SixDigits } from '#contract/second-factor.ts';
import { limitOf } from '../../../ui/text-limit.ts';

interface CodeFieldProps extends Omit<TextInputProps, 'label'> {
  label: string;
}

/** Six digits from an app or a mail. Pasting them with spaces works. */
export function CodeField(props: CodeFieldProps) {
  return (
    <TextInput
      required
      withAsterisk={false}
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      maxLength={limitOf(SixDigits)}
      aria-invalid={Boolean(props.error)}
      styles={{ input: { fontVariantNumeric: 'tabular-nums', letterSpacing: '0.12em' } }}
      {...props}
    />
  );
}

export type CodeKind = CodeOrRecoveryCode['kind'];

interface CodeOrRecoveryCodeFieldProps {
  kind: CodeKind;
  onKindChange: (kind: CodeKind) => void;
  /** From the form's field `code`. */
  inputProps: object;
}

/** Takes the app's code, or a recovery code if the app is not at hand. */
export function CodeOrRecoveryCodeField({ kind, onKindChange, inputProps }: CodeOrRecoveryCodeFieldProps) {
  const isCode = kind === 'code';
  return (
    <Stack gap={6}>
      {isCode ? (
        <CodeField
          key="code"
          label="Code"
          description="The 6 digits that your app shows now."
          data-autofocus
          autoFocus
          {...inputProps}
        />
      ) : (
        <TextInput
          key="recovery-code"
          label="Recovery code"
          description="One of the codes you saved when you turned on the second factor. Each works once."
          required
          withAsterisk={false}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={limitOf(RecoveryCode)}
          autoFocus
          {...inputProps}
        />
      )}
      <Anchor
        component="button"
        type="button"
        size="sm"
        w="fit-content"
        py={4}
        onClick={() => onKindChange(isCode ? 'recovery_code' : 'code')}
      >
        {isCode ? 'Use a recovery code' : 'Use a code from the app'}
      </Anchor>
    </Stack>
  );
}
