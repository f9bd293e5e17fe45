import { Button, Card, Divider, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { changeOwnNames, NewEmail, OwnNames, requestEmailChange } from '#contract/own-details.ts';
import { useSignedInUser } from '../../../api/session.ts';
import { useAction } from '../../../api/use-action.ts';
import { limitOf } from '../../../ui/text-limit.ts';
import { useForm } from '../../../ui/use-form.ts';

interface Names {
  firstName: string;
  lastName: string;
}

/** AUTH-60 */
export function YourDetailsSection() {
  return (
    <Card component="section" aria-labelledby="details-title">
      <Title order={2} id="details-title" mb="md">
        Your details
      </Title>
      <Stack gap="lg">
        <Names />
        <Divider />
        <EmailAddress />
      </Stack>
    </Card>
  );
}

function Names() {
  const { firstName, lastName } = useSignedInUser();
  const form = useForm<Names>({ firstName, lastName });
  /** A field that was not typed in since then follows the stored name, even if somebody else has changed it. */
  const follow = (stored: Names, sent: Partial<Names> = {}) => {
    const typed = changedSince({ ...form.initial(), ...sent }, form.typed());
    form.begin(stored);
    form.set(typed);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is the same one all the time.
  useEffect(() => follow({ firstName, lastName }), [firstName, lastName]);
  const action = useAction(changeOwnNames, {
    success: 'Name Saved',
    failureTitle: 'Name Not Saved',
    onSuccess: (names, { body }) => follow(names, body),
    onError: (error) => form.showRefusal(error),
  });
  return (
    <form
      noValidate
      onSubmit={form.submit(OwnNames, () => action.run({ body: changedSince(form.initial(), form.typed()) }))}
    >
      <Stack gap="md">
        <Group gap="md" align="flex-start" grow preventGrowOverflow={false}>
          <TextInput
            label="First name"
            maxLength={limitOf(OwnNames, 'firstName')}
            autoComplete="given-name"
            miw={200}
            {...form.field('firstName')}
          />
          <TextInput
            label="Last name"
            maxLength={limitOf(OwnNames, 'lastName')}
            autoComplete="family-name"
            miw={200}
            {...form.field('lastName')}
          />
        </Group>
        <Button type="submit" variant="default" w="fit-content" loading={action.isRunning}>
          Save name
        </Button>
      </Stack>
    </form>
  );
}

/** An unchanged name is not sent, because it may have been changed elsewhere. */
function changedSince(known: Names, typed: Names): Partial<Names> {
  return Object.fromEntries(Object.entries(typed).filter(([field, value]) => value !== known[field as keyof Names]));
}

function EmailAddress() {
  const { email } = useSignedInUser();
  const [asked, setAsked] = useState<string | null>(null);
  const form = useForm({ email: '' });
  const action = useAction(requestEmailChange, {
    success: 'Confirmation Sent',
    failureTitle: 'Email Address Not Changed',
    onSuccess: (_reply, { body }) => {
      setAsked(body.email);
      form.reset();
    },
    onError: (error) => form.showRefusal(error),
  });
  return (
    <form noValidate onSubmit={form.submit(NewEmail, (body) => action.run({ body }))}>
      <Stack gap="md">
        <Text>
          You sign in as <b>{email}</b>.
        </Text>
        <TextInput
          label="New email address"
          maxLength={limitOf(NewEmail, 'email')}
          description="We will email you a link there. Your address changes when you open it."
          type="email"
          autoComplete="email"
          {...form.field('email')}
        />
        <Text role="status">
          {asked ? `Open the link in the email to ${asked} within 1 hour. Until then ${email} stays.` : ''}
        </Text>
        <Button type="submit" variant="default" w="fit-content" loading={action.isRunning}>
          Change email address
        </Button>
      </Stack>
    </form>
  );
}
