import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { removePhone } from '#contract/phone-numbers.ts';
import { useAction } from '../../api/use-action.ts';
import { PhoneForm } from './PhoneForm.tsx';

interface PhoneSectionProps {
  phone: string | null;
  unconfirmedPhone: string | null;
}

/** The number for text messages. The person has confirmed it, or has none yet. */
export function PhoneSection({ phone, unconfirmedPhone }: PhoneSectionProps) {
  const [isChanging, setChanging] = useState(false);
  const change = useRef<HTMLButtonElement>(null);
  const hasChanged = useRef(false);
  const remove = useAction(removePhone, {
    success: 'Phone Number Removed',
    failureTitle: 'Phone Number Not Removed',
    onSuccess: () => change.current?.focus(),
  });
  useEffect(() => {
    if (!isChanging && hasChanged.current) change.current?.focus();
    hasChanged.current = isChanging;
  }, [isChanging]);
  return (
    <Card component="section" aria-labelledby="phone-title" maw={720}>
      <Stack gap="md">
        <div>
          <Title order={2} id="phone-title">
            Phone number
          </Title>
          <Text size="sm" c="dimmed">
            <WhereTextsGo phone={phone} unconfirmedPhone={unconfirmedPhone} />
          </Text>
        </div>
        {isChanging ? (
          <PhoneForm suggested={unconfirmedPhone ?? ''} onClose={() => setChanging(false)} />
        ) : (
          <Group gap="sm">
            <Button ref={change} variant="default" onClick={() => setChanging(true)}>
              {labelOf(phone, unconfirmedPhone)}
            </Button>
            {phone || unconfirmedPhone ? (
              <Button variant="default" loading={remove.isRunning} onClick={() => remove.run({})}>
                Remove number
              </Button>
            ) : null}
          </Group>
        )}
      </Stack>
    </Card>
  );
}

function WhereTextsGo({ phone, unconfirmedPhone }: PhoneSectionProps) {
  if (phone) {
    return (
      <>
        Text messages go to <b>{phone}</b>.
      </>
    );
  }
  if (unconfirmedPhone) {
    return (
      <>
        Your program gave us <b>{unconfirmedPhone}</b> for you. Confirm a number to get text messages.
      </>
    );
  }
  return 'You have no phone number yet, so we cannot send you text messages.';
}

function labelOf(phone: string | null, unconfirmedPhone: string | null): string {
  if (phone) return 'Change number';
  return unconfirmedPhone ? 'Confirm number' : 'Add phone number';
}
