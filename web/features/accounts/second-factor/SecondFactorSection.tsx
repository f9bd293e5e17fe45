import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { enrolSecondFactor, readSecondFactor, renewRecoveryCodes } from '#contract/second-factor.ts';
import { queryFor } from '../../../api/query-for.ts';
import { useAction } from '../../../api/use-action.ts';
import { formatDay } from '../../../ui/dates.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { SecondFactorSetUp } from './SecondFactorSetUp.tsx';
import { TurnOffSecondFactor } from './TurnOffSecondFactor.tsx';

/** AUTH-65 to AUTH-67 */
export function SecondFactorSection() {
  const factor = useQuery(queryFor(readSecondFactor));
  const [enrolled, setEnrolled] = useState<ResponseOf<typeof enrolSecondFactor> | null>(null);
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null);
  const showCodes = (codes: string[]) => {
    setEnrolled(null);
    setRecoveryCodes(codes);
  };
  return (
    <Card component="section" aria-labelledby="second-factor-title">
      <Title order={2} id="second-factor-title" mb="xs">
        Second factor
      </Title>
      {recoveryCodes ? <RecoveryCodes codes={recoveryCodes} onDone={() => setRecoveryCodes(null)} /> : null}
      {enrolled ? (
        <SecondFactorSetUp enrolled={enrolled} onConfirmed={showCodes} onCancel={() => setEnrolled(null)} />
      ) : null}
      <Loaded
        read={factor}
        failure="The second factor could not be loaded"
        loading={{ label: 'Loading the second factor', rows: 2 }}
      >
        {(factor) =>
          enrolled || recoveryCodes ? null : (
            <FactorState factor={factor} onEnrolled={setEnrolled} onNewCodes={showCodes} />
          )
        }
      </Loaded>
    </Card>
  );
}

interface FactorStateProps {
  factor: ResponseOf<typeof readSecondFactor>;
  onEnrolled: (enrolled: ResponseOf<typeof enrolSecondFactor>) => void;
  onNewCodes: (codes: string[]) => void;
}

function FactorState({ factor, onEnrolled, onNewCodes }: FactorStateProps) {
  const enrol = useAction(enrolSecondFactor, { failureTitle: 'Set-up Not Started', onSuccess: onEnrolled });
  const renew = useAction(renewRecoveryCodes, {
    failureTitle: 'No New Recovery Codes',
    onSuccess: ({ recoveryCodes }) => onNewCodes(recoveryCodes),
  });
  if (!factor.confirmedAt) {
    return (
      <Stack gap="md" align="flex-start">
        <Text c="dimmed">Adds a code from your phone, so a stolen password isn't enough.</Text>
        <Button onClick={() => enrol.run({})} loading={enrol.isRunning}>
          Set up a second factor
        </Button>
      </Stack>
    );
  }
  return (
    <Stack gap="md" align="flex-start">
      <Text c="dimmed">
        On since {formatDay(factor.confirmedAt)}. {codesLeft(factor.recoveryCodesLeft)}{' '}
        {devices(factor.rememberedDevices)}
      </Text>
      <Group gap="sm">
        <Button variant="default" onClick={() => renew.run({})} loading={renew.isRunning}>
          New recovery codes
        </Button>
        {factor.isRequired ? null : <TurnOffSecondFactor />}
      </Group>
      {factor.isRequired ? <Text size="sm">Your role must have a second factor, so it stays on.</Text> : null}
    </Stack>
  );
}

function codesLeft(count: number): string {
  if (count === 0) return 'You have no recovery code left: make new ones.';
  return count === 1 ? 'You have 1 recovery code left.' : `You have ${count} recovery codes left.`;
}

function devices(count: number): string {
  if (count === 0) return 'No device is remembered.';
  return count === 1 ? 'One device is remembered.' : `${count} devices are remembered.`;
}
