import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Info } from 'lucide-react';
import { type Fellowship, readTrack, selectTrack } from '#contract/fellowship.ts';
import { queryFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { LongText } from '../../ui/LongText.tsx';
import { TypingModal } from '../../ui/TypingModal.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { useForm } from '../../ui/use-form.ts';

type Track = Fellowship['tracks'][number];

interface SelectTrackDialogProps {
  track: Track | null;
  coreModules: Fellowship['coreModules'];
  canSelect: boolean;
  onClose: () => void;
  onSelected: () => void;
  /** Runs when the dialog is gone from the screen. */
  onClosed: () => void;
}

/** TRACK-03, TRACK-04, TRACK-07: shows the parts of the track, takes optional notes, and makes the choice. */
export function SelectTrackDialog({ track, onClose, onClosed, ...rest }: SelectTrackDialogProps) {
  return (
    <TypingModal
      opened={track !== null}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      title={track ? `Select ${track.name}` : null}
      styles={{ title: { fontWeight: 650 } }}
    >
      {track ? <SelectTrackForm key={track.id} track={track} onClose={onClose} {...rest} /> : null}
    </TypingModal>
  );
}

type SelectTrackFormProps = Omit<SelectTrackDialogProps, 'onClosed'> & { track: Track };

function SelectTrackForm({ track, coreModules, canSelect, onClose, onSelected }: SelectTrackFormProps) {
  const form = useForm({ notes: '' });
  const action = useAction(selectTrack, {
    success: () => ({ title: 'Track Selected', message: `${track.name}. You can change it until you lock it.` }),
    failureTitle: 'Selection Failed',
    onSuccess: onSelected,
  });
  return (
    <form
      onSubmit={form.submit(({ notes }) => action.run({ body: { trackId: track.id, notes: notes.trim() || null } }))}
    >
      <Stack gap="md">
        {canSelect ? null : (
          <Alert color="indigo" icon={<Info size={18} aria-hidden />}>
            Core modules come first: {coreModules.completed} of {coreModules.total} are complete.
          </Alert>
        )}
        {track.description ? <Text>{track.description}</Text> : null}
        <TrackModules trackId={track.id} />
        <LongText
          data-autofocus
          label="Notes (optional)"
          description="Why this track, or what your coach should know."
          {...form.field('notes')}
          maxLength={limitOf(selectTrack.body, 'notes')}
          autosize
          minRows={2}
          maxRows={8}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={action.isRunning}>
            Select track
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** TRACK-06 */
function TrackModules({ trackId }: { trackId: string }) {
  const track = useQuery(queryFor(readTrack, { params: { id: trackId } }));
  return (
    <Loaded read={track} failure="The modules could not be loaded" loading={{ label: 'Loading the modules', rows: 2 }}>
      {({ modules, durationWeeks }) =>
        modules.length === 0 ? (
          <Text c="dimmed">Its modules are not set up yet.</Text>
        ) : (
          <div>
            <Text fw={550} id="modules-of-track" mb={4}>
              Modules, {durationWeeks} {durationWeeks === 1 ? 'week' : 'weeks'}
            </Text>
            <List aria-labelledby="modules-of-track" spacing={4}>
              {modules.map(({ id, title }) => (
                <List.Item key={id}>{title}</List.Item>
              ))}
            </List>
          </div>
        )
      }
    </Loaded>
  );
}
