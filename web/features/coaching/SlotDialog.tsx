import { Button, Group, Stack, Text } from '@mantine/core';
import { bookSession, slotMinutes } from '#contract/booking.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { formatDateTime, formatLocalTime } from '../../ui/dates.ts';
import { LongText } from '../../ui/LongText.tsx';
import { limitOf } from '../../ui/text-limit.ts';

interface SlotDialogProps {
  /** The chosen half hour, or null. */
  startsAt: string | null;
  /** Null if a session is moved, because it keeps its agenda. */
  agenda: string | null;
  movedFrom: string | null;
  isRunning: boolean;
  onAgenda: (agenda: string) => void;
  onConfirm: () => void;
  onClose: () => void;
}

/** A last check before the person books a half hour. */
export function SlotDialog(props: SlotDialogProps) {
  const { startsAt, agenda, movedFrom, isRunning, onAgenda, onConfirm, onClose } = props;
  const local = formatLocalTime(startsAt);
  return (
    <Dialog
      opened={startsAt !== null}
      onClose={onClose}
      title={movedFrom ? 'Move the session' : 'Book a coaching session'}
    >
      <Stack
        gap="md"
        component="form"
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm();
        }}
      >
        <div>
          <Text fw={600}>
            {formatDateTime(startsAt)}, {slotMinutes} minutes
          </Text>
          {local ? (
            <Text size="sm" c="dimmed">
              {local}
            </Text>
          ) : null}
          {movedFrom ? <Text size="sm">Instead of {formatDateTime(movedFrom)}.</Text> : null}
        </div>
        {agenda === null ? null : (
          <LongText
            label="Agenda"
            description="What you would like to talk about. Your coach reads it before the session."
            autosize
            minRows={3}
            maxRows={8}
            maxLength={limitOf(bookSession.body, 'agenda')}
            value={agenda}
            onChange={({ currentTarget }) => onAgenda(currentTarget.value)}
            data-autofocus
          />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Back
          </Button>
          <Button type="submit" loading={isRunning}>
            {movedFrom ? 'Move the session' : 'Book this session'}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
