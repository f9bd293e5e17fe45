import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { z } from 'zod';
import { confirmPhone, NewPhone, requestPhoneCode } from '#contract/phone-numbers.ts';
import { messageOf } from '../../api/api-error.ts';
import { useAction } from '../../api/use-action.ts';
import { limitOf } from '../../ui/text-limit.ts';
import { useForm, written } from '../../ui/use-form.ts';

interface PhoneFormProps {
  /** The number to begin with, or ''. */
  suggested: string;
  onClose: () => void;
}

const code = z.object({ code: written('Please enter the code that was texted to you') });

/** Asks for the number first, then for the code that is texted to it. */
export function PhoneForm({ suggested, onClose }: PhoneFormProps) {
  const [phone, setPhone] = useState<string | null>(null);
  if (phone === null) return <NumberStep suggested={suggested} onTexted={setPhone} onCancel={onClose} />;
  return <CodeStep phone={phone} onOtherNumber={() => setPhone(null)} onClose={onClose} />;
}

interface NumberStepProps {
  suggested: string;
  onTexted: (phone: string) => void;
  onCancel: () => void;
}

function NumberStep({ suggested, onTexted, onCancel }: NumberStepProps) {
  const form = useForm({ phone: suggested });
  const request = useAction(requestPhoneCode, {
    onSuccess: (texted) => onTexted(texted.phone),
    onError: (error) => form.showErrors({ phone: messageOf(error) }),
  });
  return (
    <form noValidate onSubmit={form.submit(NewPhone, (body) => request.run({ body }))}>
      <Stack gap="md">
        <TextInput
          label="Phone number"
          description="With its area code; outside the United States with + and its country code."
          type="tel"
          autoComplete="tel"
          maxLength={limitOf(NewPhone, 'phone')}
          maw={360}
          autoFocus
          {...form.field('phone')}
        />
        <Buttons label="Text me a code" isRunning={request.isRunning} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

interface CodeStepProps {
  phone: string;
  onOtherNumber: () => void;
  onClose: () => void;
}

function CodeStep({ phone, onOtherNumber, onClose }: CodeStepProps) {
  const form = useForm({ code: '' });
  const confirm = useAction(confirmPhone, {
    success: 'Phone Number Saved',
    onSuccess: onClose,
    onError: (error) => form.showErrors({ code: messageOf(error) }),
  });
  return (
    <form noValidate onSubmit={form.submit(code, (body) => confirm.run({ body }))}>
      <Stack gap="md">
        <Text size="sm" role="status">
          A code was texted to <b>{phone}</b>. It works for 10 minutes.{' '}
          <Anchor component="button" type="button" size="sm" py={4} onClick={onOtherNumber}>
            Use another number
          </Anchor>
        </Text>
        <TextInput
          label="Code"
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          maxLength={limitOf(confirmPhone.body, 'code')}
          maw={240}
          autoFocus
          styles={{ input: { fontVariantNumeric: 'tabular-nums', letterSpacing: '0.12em' } }}
          {...form.field('code')}
        />
        <Buttons label="Confirm number" isRunning={confirm.isRunning} onCancel={onClose} />
      </Stack>
    </form>
  );
}

function Buttons({
  label,
  isRunning,
  onCancel,
}: {
  label: string;
  isRunning: boolean;
  onCancel: () => void;
}): ReactNode {
  return (
    <Group gap="sm">
      <Button type="submit" loading={isRunning}>
        {label}
      </Button>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
    </Group>
  );
}
