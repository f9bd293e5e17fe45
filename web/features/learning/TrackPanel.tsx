import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { Lock } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Fellowship, TrackSelection } from '#contract/fellowship.ts';
import { formatDay } from '../../ui/dates.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { LockTrack } from './LockTrack.tsx';
import { ModuleList } from './ModuleList.tsx';
import { SelectTrackDialog } from './SelectTrackDialog.tsx';

type Track = Fellowship['tracks'][number];

/** FELL-05: the tracks on offer. After a choice: the chosen track, whether it is locked, and the acts that remain. */
export function TrackPanel({ fellowship }: { fellowship: Fellowship }) {
  const { tracks, selection, modules, coreModules, can } = fellowship;
  const [isChanging, setChanging] = useState(false);
  const [opened, setOpened] = useState<Track | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const choice = selection && `${selection.trackId} ${selection.isLocked}`;
  /**
   * The button that chose or locked is gone after the dialog has closed and the choice was read again. Either may be
   * last.
   */
  const keepFocus = useCallback(() => {
    setTimeout(() => {
      if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
    });
  }, []);
  const choiceBefore = useRef(choice);
  useEffect(() => {
    if (choice !== choiceBefore.current) keepFocus();
    choiceBefore.current = choice;
  }, [choice, keepFocus]);
  const isOffered = !selection || (isChanging && !selection.isLocked);
  const others = tracks.filter(({ id }) => id !== selection?.trackId);
  return (
    <Card component="section" aria-labelledby="track">
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Title order={2} id="track" ref={heading} tabIndex={-1}>
            Specialization track
          </Title>
          {selection ? <SelectionState isLocked={selection.isLocked} /> : null}
        </Group>
        {selection ? (
          <ChosenTrack
            selection={selection}
            modules={modules.filter(({ moduleType }) => moduleType === 'specialization')}
          />
        ) : (
          <Text c="dimmed">{rule(coreModules, can.selectTrack)}</Text>
        )}
        {selection && can.lockTrack ? (
          <Group gap="sm">
            <LockTrack selection={selection} />
            <Button variant="default" onClick={() => setChanging(!isChanging)} aria-expanded={isChanging}>
              {isChanging ? 'Keep this track' : 'Change track'}
            </Button>
          </Group>
        ) : null}
        {isOffered ? <Tracks tracks={others} isOpen={can.selectTrack} onSelect={setOpened} /> : null}
      </Stack>
      <SelectTrackDialog
        track={opened}
        coreModules={coreModules}
        canSelect={can.selectTrack}
        onClose={() => setOpened(null)}
        onClosed={keepFocus}
        onSelected={() => {
          setOpened(null);
          setChanging(false);
        }}
      />
    </Card>
  );
}

function rule({ completed, total }: Fellowship['coreModules'], canSelect: boolean): string {
  if (canSelect) return 'All core modules are complete: choose the track that you specialize in.';
  return `You can choose one when all core modules are complete: ${completed} of ${total} so far.`;
}

function SelectionState({ isLocked }: { isLocked: boolean }) {
  if (!isLocked) return <StatusBadge tone="info">Selected</StatusBadge>;
  return (
    <StatusBadge tone="success" icon={<Lock size={13} aria-hidden />}>
      Locked
    </StatusBadge>
  );
}

function ChosenTrack({ selection, modules }: { selection: TrackSelection; modules: Fellowship['modules'] }) {
  const { track, notes, selectedAt, lockedAt } = selection;
  return (
    <>
      <TrackFacts track={track} />
      <Text size="sm" c="dimmed">
        Chosen {formatDay(selectedAt, { withYear: true })}
        {lockedAt ? `, final since ${formatDay(lockedAt, { withYear: true })}.` : '.'}
      </Text>
      {notes ? (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
          Your notes: {notes}
        </Text>
      ) : null}
      {modules.length > 0 ? <ModuleList modules={modules} /> : null}
    </>
  );
}

interface TracksProps {
  tracks: Track[];
  /** Until then a track only shows what is in it (TRACK-03). */
  isOpen: boolean;
  onSelect: (track: Track) => void;
}

function Tracks({ tracks, isOpen, onSelect }: TracksProps) {
  if (tracks.length === 0) return <Text>No other track is on offer yet.</Text>;
  return (
    <Stack gap="md" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {tracks.map((track) => (
        <Group key={track.id} component="li" justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
          <TrackFacts track={track} />
          <Button
            variant="default"
            size="sm"
            style={{ flexShrink: 0 }}
            {...(isOpen ? {} : { c: 'dimmed', leftSection: <Lock size={14} aria-hidden /> })}
            aria-label={`Select ${track.name}`}
            onClick={() => onSelect(track)}
          >
            Select
          </Button>
        </Group>
      ))}
    </Stack>
  );
}

function TrackFacts({ track: { name, description, durationWeeks } }: { track: Track }) {
  return (
    <div style={{ minWidth: 0 }}>
      <Text fw={550}>{name}</Text>
      <Text size="sm" c="dimmed">
        {durationWeeks} {durationWeeks === 1 ? 'week' : 'weeks'}
      </Text>
      {description ? <Text size="sm">{description}</Text> : null}
    </div>
  );
}
