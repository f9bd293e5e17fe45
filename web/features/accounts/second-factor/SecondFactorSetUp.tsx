import { Anchor, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { encode } from 'uqr';
import { z } from 'zod';
import type { ResponseOf } from '#contract/endpoint.ts';
import { confirmSecondFactor, type enrolSecondFactor } from '#contract/second-factor.ts';
import { messageOf } from '../../../api/api-error.ts';
import { useAction } from '../../../api/use-action.ts';
import { useForm, written } from '../../../ui/use-form.ts';
import { CodeField } from './CodeField.tsx';

const qrCodeBorder = 4;

const schema = z.object({ code: written('Please enter the code that your app shows') });

interface SecondFactorSetUpProps {
  enrolled: ResponseOf<typeof enrolSecondFactor>;
  onConfirmed: (recoveryCodes: string[]) => void;
  onCancel: () => void;
}

/** The secret as a picture and as text, and the field for the first code. */
export function SecondFactorSetUp({ enrolled, onConfirmed, onCancel }: SecondFactorSetUpProps) {
  const form = useForm({ code: '' });
  const action = useAction(confirmSecondFactor, {
    success: () => ({ title: 'Second Factor Is On', message: 'Your other devices were signed out.' }),
    onSuccess: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
    onError: (error) => form.showErrors({ code: messageOf(error) }),
  });
  return (
    <Stack gap="md">
      <Text>
        1. Scan this picture with an authenticator app on your phone. Without a camera, type the key into the app.
      </Text>
      <QrCode text={enrolled.uri} label="QR code of the key below, for an authenticator app" />
      <SecretKey secret={enrolled.secret} />
      <Anchor href={enrolled.uri} w="fit-content" py={4}>
        Open an authenticator app on this device
      </Anchor>
      <form noValidate onSubmit={form.submit(schema, (body) => action.run({ body }))}>
        <Stack gap="md">
          <Text>2. Enter the code that the app shows.</Text>
          <CodeField label="Code" maw={240} autoFocus {...form.field('code')} />
          <Group gap="sm">
            <Button type="submit" loading={action.isRunning}>
              Turn on
            </Button>
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </form>
    </Stack>
  );
}

function SecretKey({ secret }: { secret: string }) {
  return (
    <Group gap="sm">
      <Code fz="sm" data-testid="secret-key">
        {secret.replace(/(.{4})(?=.)/g, '$1 ')}
      </Code>
      <CopyButton value={secret}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            size="sm"
            onClick={copy}
            leftSection={copied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
          >
            {copied ? 'Copied' : 'Copy key'}
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}

/** The code is always dark on white, as cameras expect it. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data } = encode(text, { ecc: 'M', border: qrCodeBorder });
  const size = data.length;
  const modules = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={220}
      height={220}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      style={{ maxWidth: '100%', borderRadius: 8, border: '1px solid var(--mantine-color-default-border)' }}
    >
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="#ffffff" />
      <path d={modules} fill="#10151c" />
    </svg>
  );
}
