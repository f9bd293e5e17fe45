import { Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Bot, CircleHelp, Laptop, Smartphone, Tablet } from 'lucide-react';
import { useState } from 'react';
import { endOtherSessions, endSession, listSessions, type SessionPlace } from '#contract/sessions.ts';
import { pagesFor } from '../../../api/query-for.ts';
import { useAction } from '../../../api/use-action.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { DateTime } from '../../../ui/DateTime.tsx';
import { LoadedRows } from '../../../ui/Loaded.tsx';
import { NextPageButton } from '../../../ui/NextPageButton.tsx';

export function SessionsSection() {
  const sessions = useInfiniteQuery({ ...pagesFor(listSessions, { query: {} }), refetchOnMount: 'always' });
  return (
    <Card component="section" aria-labelledby="sessions-title">
      <Title order={2} id="sessions-title" mb={4}>
        Where you are signed in
      </Title>
      <Text c="dimmed" mb="md">
        If you do not recognize one, end it and change your password.
      </Text>
      <LoadedRows
        list={sessions}
        failure="Your devices could not be loaded"
        loading={{ label: 'Loading where you are signed in', rows: 2 }}
        empty={null}
      >
        {(places) => <Places places={places} />}
      </LoadedRows>
      <NextPageButton list={sessions} mt="md" />
    </Card>
  );
}

function Places({ places }: { places: SessionPlace[] }) {
  const hasOthers = places.some(({ isThisOne }) => !isThisOne);
  return (
    <Stack gap="md">
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }} aria-labelledby="sessions-title">
        {places.map((place) => (
          <li key={place.id}>
            <Place place={place} />
          </li>
        ))}
      </Stack>
      {hasOthers ? <EndOthers /> : <Text size="sm">No other devices</Text>}
    </Stack>
  );
}

function Place({ place }: { place: SessionPlace }) {
  return (
    <Group gap="sm" align="flex-start" justify="space-between">
      <Group gap="sm" align="flex-start" wrap="nowrap" style={{ flex: '1 1 220px', minWidth: 0 }}>
        <DeviceIcon kind={place.deviceKind} />
        <div style={{ minWidth: 0 }}>
          <Group gap="xs">
            <Text fw={600}>{place.device}</Text>
            {place.isThisOne ? <Badge variant="light">This session</Badge> : null}
          </Group>
          <Text size="sm">
            {place.place}. {howSure(place)}
          </Text>
          <Text size="sm" c="dimmed">
            Last used <DateTime value={place.lastUsedAt} />, signed in <DateTime value={place.beganAt} />
          </Text>
        </div>
      </Group>
      {place.isThisOne ? null : <EndOne place={place} />}
    </Group>
  );
}

function EndOne({ place }: { place: SessionPlace }) {
  const action = useAction(endSession, {
    success: 'Session Ended',
    failureTitle: 'Session Not Ended',
  });
  return (
    <Button
      variant="default"
      aria-label={`End session: ${place.device}`}
      loading={action.isRunning}
      onClick={() => action.run({ params: { id: place.id } })}
    >
      End
    </Button>
  );
}

function EndOthers() {
  const [isAsking, setAsking] = useState(false);
  const action = useAction(endOtherSessions, {
    success: ({ ended }) => ({ title: ended === 1 ? '1 Session Ended' : `${ended} Sessions Ended` }),
    failureTitle: 'Sessions Not Ended',
    onSuccess: () => setAsking(false),
  });
  return (
    <>
      <Button variant="default" w="fit-content" onClick={() => setAsking(true)}>
        End all other sessions
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title="End all other sessions?"
        confirmLabel="End all others"
        isDestructive
        isRunning={action.isRunning}
        onConfirm={() => action.run({})}
        onClose={() => setAsking(false)}
      >
        Every other browser and program is signed out at once, and uploads there stop; so does your calendar address, if
        you made one. Here you stay signed in.
      </ConfirmDialog>
    </>
  );
}

function howSure({ awaitsSecondFactor, assuranceLevel, isDeviceRemembered }: SessionPlace): string {
  if (awaitsSecondFactor) return 'Second factor not given yet.';
  if (assuranceLevel === 'aal2') return 'Signed in with second factor.';
  return isDeviceRemembered ? 'Remembered device.' : 'Signed in without second factor.';
}

const icons = { phone: Smartphone, tablet: Tablet, computer: Laptop, program: Bot, unknown: CircleHelp };

function DeviceIcon({ kind }: { kind: SessionPlace['deviceKind'] }) {
  const Icon = icons[kind];
  return <Icon size={20} aria-hidden style={{ flex: 'none', marginTop: 2 }} />;
}
