import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { z } from 'zod';
import type { InputOf, ResponseOf } from '#contract/endpoint.ts';
import { giveProof, mailedCodeMinutes, mailProofCode, type readProofWays } from '#contract/second-factor.ts';
import { messageOf } from '../../../api/api-error.ts';
import { useAction } from '../../../api/use-action.ts';
import { useForm, written } from '../../../ui/use-form.ts';
import { AccountName, PasswordField } from '../passwords/PasswordFields.tsx';
import { CodeField } from './CodeField.tsx';

type Proof = InputOf<typeof giveProof>['body'];
type Way = Proof['kind'];

interface FreshProofFormProps {
  ways: ResponseOf<typeof readProofWays>;
  onGiven: () => void;
  onCancel: () => void;
}

const password = z.object({ typed: written('Please enter your password') });
const code = z.object({ typed: written('Please enter the code') });

/** One field for the chosen way, and the other ways below it. */
export function FreshProofForm({ ways, onGiven, onCancel }: FreshProofFormProps) {
  const [way, setWay] = useState<Way>(firstOf(ways));
  const [isMailed, setMailed] = useState(false);
  const form = useForm({ typed: '' });
  const give = useAction(giveProof, {
    onSuccess: onGiven,
    onError: (error) => form.showErrors({ typed: messageOf(error) }),
  });
  const mail = useAction(mailProofCode, {
    failureTitle: 'Code Not Sent',
    success: () => ({ title: 'Code Sent', message: `Please check the inbox of ${ways.email}.` }),
    onSuccess: () => setMailed(true),
  });
  const choose = (next: Way) => {
    form.reset();
    setWay(next);
    if (next === 'mailed_code' && !isMailed) mail.run({});
  };
  const send = ({ typed }: { typed: string }) =>
    give.run({ body: way === 'password' ? { kind: way, password: typed } : { kind: way, code: typed } });
  const field = form.field('typed');
  return (
    <form noValidate onSubmit={form.submit(way === 'password' ? password : code, send)}>
      <AccountName email={ways.email} />
      <Stack gap="md">
        <Text>We check again every 15 minutes. After that, you continue where you were.</Text>
        {way === 'password' ? (
          <PasswordField label="Password" autoComplete="current-password" data-autofocus autoFocus {...field} />
        ) : null}
        {way === 'code' ? (
          <CodeField
            label="Code"
            description="The 6 digits that your app shows now."
            data-autofocus
            autoFocus
            {...field}
          />
        ) : null}
        {way === 'mailed_code' ? (
          <CodeField
            label="Code from the email"
            description={
              isMailed
                ? `Sent to ${ways.email}; it works for ${mailedCodeMinutes} minutes.`
                : `We email it to ${ways.email} when you ask for it below.`
            }
            data-autofocus
            autoFocus
            {...field}
          />
        ) : null}
        <Stack gap={4} align="flex-start">
          {otherWays(ways, way).map(({ kind, label }) => (
            <Anchor key={kind} component="button" type="button" size="sm" py={4} onClick={() => choose(kind)}>
              {label}
            </Anchor>
          ))}
          {way === 'mailed_code' ? (
            <Anchor component="button" type="button" size="sm" py={4} onClick={() => mail.run({})}>
              {isMailed ? 'Send another code' : 'Send me a code'}
            </Anchor>
          ) : null}
        </Stack>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={give.isRunning}>
            Confirm
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function firstOf({ hasPassword, hasSecondFactor }: FreshProofFormProps['ways']): Way {
  if (hasPassword) return 'password';
  return hasSecondFactor ? 'code' : 'mailed_code';
}

function otherWays({ hasPassword, hasSecondFactor }: FreshProofFormProps['ways'], chosen: Way) {
  const all = [
    { kind: 'password' as const, label: 'Use my password', isOffered: hasPassword },
    { kind: 'code' as const, label: 'Use a code from my app', isOffered: hasSecondFactor },
    { kind: 'mailed_code' as const, label: 'Email me a code', isOffered: true },
  ];
  return all.filter(({ kind, isOffered }) => isOffered && kind !== chosen);
}
