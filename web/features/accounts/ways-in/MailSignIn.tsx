import { Button, Stack, Text, TextInput } from '@mantine/core';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import { z } from 'zod';
import { OwnPath, requestMailSignIn, signInByMailCode } from '#contract/sign-in-ways.ts';
import { useAction } from '../../../api/use-action.ts';
import { limitOf } from '../../../ui/text-limit.ts';
import { useForm } from '../../../ui/use-form.ts';
import { passwordRemovedToast } from './password-removed.ts';

const addressSchema = z.object({ email: z.email('Please enter your email address') });
const codeSchema = z.object({
  code: z
    .string()
    .trim()
    .regex(/^\d{6}$/, 'Please enter the 6 digits of the code'),
});

interface MailSignInProps {
  next: string;
  /** Nobody types an address twice (WCAG 3.3.7). */
  typedEmail: string;
  onSignedIn: () => void;
}

/** AUTH-55: asks for a mail with a link and a code, then takes the code. */
export function MailSignIn({ next, typedEmail, onSignedIn }: MailSignInProps) {
  const [step, setStep] = useState<'closed' | 'address' | { email: string }>('closed');
  if (step === 'closed') {
    return (
      <Button
        variant="default"
        fullWidth
        leftSection={<Mail size={18} aria-hidden />}
        onClick={() => setStep('address')}
      >
        Send me a sign-in link
      </Button>
    );
  }
  if (step === 'address')
    return <AddressForm next={next} typedEmail={typedEmail} onSent={(email) => setStep({ email })} />;
  return <CodeForm email={step.email} onAgain={() => setStep('address')} onSignedIn={onSignedIn} />;
}

type AddressFormProps = Pick<MailSignInProps, 'next' | 'typedEmail'> & { onSent: (email: string) => void };

function AddressForm({ next, typedEmail, onSent }: AddressFormProps) {
  const form = useForm({ email: typedEmail });
  const action = useAction(requestMailSignIn, {
    failureTitle: 'Email Not Sent',
    onSuccess: (_, { body }) => onSent(body.email),
  });
  return (
    <form
      noValidate
      onSubmit={form.submit(addressSchema, ({ email }) =>
        // If the link cannot name the page, the sign-in leads to the dashboard.
        action.run({ body: { email, next: OwnPath.safeParse(next).data } }),
      )}
    >
      <Stack gap="sm">
        <TextInput
          label="Email for the sign-in link"
          maxLength={limitOf(requestMailSignIn.body, 'email')}
          type="email"
          autoComplete="email"
          required
          withAsterisk={false}
          autoFocus
          {...form.field('email')}
        />
        <Button type="submit" variant="default" fullWidth loading={action.isRunning}>
          Send the link
        </Button>
      </Stack>
    </form>
  );
}

interface CodeFormProps {
  email: string;
  onAgain: () => void;
  onSignedIn: () => void;
}

function CodeForm({ email, onAgain, onSignedIn }: CodeFormProps) {
  const form = useForm({ code: '' });
  const action = useAction(signInByMailCode, {
    failureTitle: 'Sign In Failed',
    success: passwordRemovedToast,
    onSuccess: onSignedIn,
    onError: (error) => form.showRefusal(error),
  });
  return (
    <form noValidate onSubmit={form.submit(codeSchema, ({ code }) => action.run({ body: { email, code } }))}>
      <Stack gap="sm">
        <Text size="sm" role="status">
          If {email} has an account, an email is on its way. Open its link, or enter its code here within 10 minutes.
        </Text>
        <TextInput
          label="Code from the email"
          maxLength={limitOf(signInByMailCode.body, 'code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          autoFocus
          {...form.field('code')}
        />
        <Button type="submit" variant="default" fullWidth loading={action.isRunning}>
          Sign in with the code
        </Button>
        <Button variant="subtle" fullWidth onClick={onAgain}>
          Send another email
        </Button>
      </Stack>
    </form>
  );
}
