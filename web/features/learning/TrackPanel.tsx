import { Card, Group, List, Stack, Text, Title } from '@mantine/core';
import { Lock } from 'lucide-react';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readFellowship } from '#contract/fellowship.ts';
import { formatDay } from '../../ui/dates.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { ModuleTick } from './CoreModules.tsx';

type Fellowship = ResponseOf<typeof readFellowship>;

/** FELL-05: the tracks on offer or, once chosen, the choice and whether it is locked. */
export function TrackPanel({ fellowship }: { fellowship: Fellowship }) {
  const { tracks, selection } = fellowship;
  const chosen = selection ? tracks.find(({ id }) => id === selection.trackId) : undefined;
  return (
    <Card component="section" aria-labelledby="track">
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Title order={2} id="track">
            Specialization track
          </Title>
          {selection ? <SelectionState isLocked={selection.isLocked} /> : null}
        </Group>
        {selection ? (
          <Text c="dimmed">Chosen {formatDay(selection.selectedAt, { withYear: true })}.</Text>
        ) : (
          <Text c="dimmed">
            You can choose one when all core modules are complete: {fellowship.coreModules.completed} of{' '}
            {fellowship.coreModules.total} so far.
          </Text>
        )}
        {selection ? <ChosenTrack track={chosen} modules={fellowship.modules} /> : <Tracks tracks={tracks} />}
      </Stack>
    </Card>
  );
}

function SelectionState({ isLocked }: { isLocked: boolean }) {
  if (!isLocked) return <StatusBadge tone="info">Selected</StatusBadge>;
  return (
    <StatusBadge tone="success" icon={<Lock size={13} aria-hidden />}>
      Locked
    </StatusBadge>
  );
}

type Track = Fellowship['tracks'][number];

function ChosenTrack({ track, modules }: { track: Track | undefined; modules: Fellowship['modules'] }) {
  const own = modules.filter(({ moduleType }) => moduleType === 'specialization');
  return (
    <>
      {track ? <TrackFacts track={track} /> : <Text>Your track is no longer offered; your choice stands.</Text>}
      <List spacing={6} center listStyleType="none">
        {own.map(({ id, title, isCompleted }) => (
          <List.Item key={id} icon={<ModuleTick isCompleted={isCompleted} />}>
            {title}
          </List.Item>
        ))}
      </List>
    </>
  );
}

function Tracks({ tracks }: { tracks: Track[] }) {
  if (tracks.length === 0) return <Text>No track is on offer yet.</Text>;
  return (
    <Stack gap="md" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {tracks.map((track) => (
        <li key={track.id}>
          <TrackFacts track={track} />
        </li>
      ))}
    </Stack>
  );
}

function TrackFacts({ track: { name, description, durationWeeks } }: { track: Track }) {
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      <Text fw={550}>{name}</Text>
      <Text size="sm" c="dimmed">
        {durationWeeks} {durationWeeks === 1 ? 'week' : 'weeks'}
      </Text>
      {description ? <Text size="sm">{description}</Text> : null}
    </div>
  );
}
