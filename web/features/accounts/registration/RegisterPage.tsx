import { Anchor, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { z } from 'zod';
import { registerPasswordLength } from '#contract/passwords.ts';
import { register } from '#contract/registration.ts';
import type { Role, TrackType } from '#contract/roles.ts';
import { useSession } from '../../../api/session.ts';
import { useAction } from '../../../api/use-action.ts';
import { paths } from '../../../app/paths.ts';
import { limitOf } from '../../../ui/text-limit.ts';
import { showToast } from '../../../ui/toast.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { AccountFrame } from '../AccountFrame.tsx';
import { NewPasswordFields } from '../passwords/PasswordFields.tsx';

const roleChoices = [
  { value: 'participant', label: 'Participant' },
  { value: 'coach', label: 'Coach' },
  { value: 'admin', label: 'Admin' },
] satisfies { value: Role; label: string }[];

const trackChoices = [
  { value: 'fellowship', label: 'Fellowship' },
  { value: 'adult_mobilization', label: 'Adult Mobilization' },
  { value: 'self_learner', label: 'Self Learner' },
] satisfies { value: TrackType; label: string }[];

interface Values {
  firstName: string;
  lastName: string;
  email: string;
  requestedRole: Role;
  trackType: TrackType | null;
  password: string;
  confirmation: string;
}

const mismatch = 'Passwords do not match';
const failureTitle = 'Registration Failed';

const schema = (register.body as NonNullable<typeof register.body>).and(
  z
    .object({ password: z.string(), confirmation: z.string().min(1, 'Please repeat your password') })
    .refine(({ password, confirmation }) => password === confirmation, {
      path: ['confirmation'],
      message: mismatch,
      when: () => true,
    }),
);

export function RegisterPage() {
  const navigate = useNavigate();
  const { instance } = useSession();
  const form = useForm<Values>({
    firstName: '',
    lastName: '',
    email: '',
    requestedRole: 'participant',
    trackType: null,
    password: '',
    confirmation: '',
  });
  const action = useAction(register, {
    failureTitle,
    success: ({ user }) => ({
      title: 'Registration Successful',
      message: `Check your email: we wrote to ${user.email}. The message says what to do next.`,
      duration: 10_000,
    }),
    onSuccess: ({ user }) => void navigate({ to: paths.login, state: { registeredEmail: user.email } }),
    onError: (error) => form.showRefusal(error),
  });
  const isParticipant = form.draft.requestedRole === 'participant';

  return (
    <AccountFrame
      title="Create an account"
      footer={
        <>
          Already registered?{' '}
          <Anchor component={Link} to={paths.login} inherit underline="always">
            Sign in
          </Anchor>
        </>
      }
    >
      <form
        noValidate
        onSubmit={form.submit(
          schema,
          ({ confirmation: _confirmation, ...body }) =>
            action.run({ body: { ...body, trackType: isParticipant ? body.trackType : null } }),
          () => warnAboutPassword(form.draft),
        )}
      >
        <Stack gap="md">
          <Group grow preventGrowOverflow={false} align="flex-start">
            <TextInput
              label="First name"
              maxLength={limitOf(register.body, 'firstName')}
              autoComplete="given-name"
              required
              withAsterisk={false}
              {...form.field('firstName')}
            />
            <TextInput
              label="Last name"
              maxLength={limitOf(register.body, 'lastName')}
              autoComplete="family-name"
              required
              withAsterisk={false}
              {...form.field('lastName')}
            />
          </Group>
          <TextInput
            label="Email"
            maxLength={limitOf(register.body, 'email')}
            type="email"
            autoComplete="email"
            required
            withAsterisk={false}
            {...form.field('email')}
          />
          <Select
            label="Role"
            data={roleChoices}
            allowDeselect={false}
            required
            withAsterisk={false}
            description={
              isParticipant || (instance.grantsChosenRole && form.draft.requestedRole === 'coach')
                ? null
                : 'An admin approves this role first. Until then you use Switchyard as a participant.'
            }
            {...form.field('requestedRole')}
          />
          {isParticipant ? (
            <Select
              label="Program type"
              placeholder="Choose one"
              data={trackChoices}
              required
              withAsterisk={false}
              {...form.field('trackType')}
            />
          ) : null}
          <NewPasswordFields
            form={form}
            field="password"
            name="password"
            description={`At least ${registerPasswordLength} characters`}
          />
          <Button type="submit" loading={action.isRunning} fullWidth size="md">
            Create account
          </Button>
        </Stack>
      </form>
    </AccountFrame>
  );
}

/** AUTH-12, AUTH-13: an empty field needs no warning, because it shows its own error. */
function warnAboutPassword({ password, confirmation }: Values): void {
  if (!password || !confirmation) return;
  if (password !== confirmation) showToast({ type: 'error', title: 'Password Mismatch', message: mismatch });
  else if (password.length < registerPasswordLength) {
    const message = `Password must be at least ${registerPasswordLength} characters long`;
    showToast({ type: 'error', title: 'Weak Password', message });
  }
}
