import { Button, Card, Group, Modal, Radio, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { LockKeyhole } from 'lucide-react';
import { useState } from 'react';
import {
  listPersonNotes,
  NewPersonNote,
  type NoteKind,
  openPersonNote,
  type PersonNote,
  removePersonNote,
  writePersonNote,
} from '#contract/person-notes.ts';
import { pagesFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { LongText } from '../../ui/LongText.tsx';
import { NextPageButton } from '../../ui/NextPageButton.tsx';
import { ReasonForm } from '../../ui/ReasonForm.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { useForm } from '../../ui/use-form.ts';
import { useUnsavedChanges } from '../../ui/use-unsaved-changes.tsx';
import wrapping from '../../ui/wrapping.module.css';

const kinds: Record<NoteKind, { label: string; description: string }> = {
  staff: { label: 'For staff', description: 'Their coach and admins read it here.' },
  restricted: { label: 'Restricted', description: 'They give a reason to read it, and we log who opens it.' },
};

interface PersonNotesProps {
  personId: string;
  name: string;
}

/** What staff know about the person that no record says. The person does not see it. */
export function PersonNotes({ personId, name }: PersonNotesProps) {
  const list = useInfiniteQuery(pagesFor(listPersonNotes, { params: { id: personId }, query: {} }));
  const [isWriting, setWriting] = useState(false);
  const [opened, setOpened] = useState<PersonNote | null>(null);
  const [asked, setAsked] = useState<PersonNote | null>(null);
  return (
    <Card component="section" aria-labelledby="person-notes">
      <Group justify="space-between" gap="sm" mb="md">
        <Title order={2} id="person-notes">
          Staff notes
        </Title>
        {isWriting ? null : (
          <Button variant="default" size="sm" onClick={() => setWriting(true)}>
            Write a note
          </Button>
        )}
      </Group>
      <Stack gap="md">
        {isWriting ? <NewNote personId={personId} name={name} onClose={() => setWriting(false)} /> : null}
        <LoadedRows
          list={list}
          failure="The notes could not be loaded"
          loading={{ label: 'Loading notes', rows: 2 }}
          empty={<Text c="dimmed">No notes yet. {name} does not see what is written here.</Text>}
        >
          {(rows) => (
            <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Staff notes">
              {rows.map((note) => (
                <li key={note.id}>
                  <Note note={note} onOpen={() => setOpened(note)} onRemove={() => setAsked(note)} />
                </li>
              ))}
            </Stack>
          )}
        </LoadedRows>
        <NextPageButton list={list}>Show earlier notes</NextPageButton>
      </Stack>
      {opened ? <OpenedNote note={opened} onClose={() => setOpened(null)} /> : null}
      <RemoveNote note={asked} onClose={() => setAsked(null)} />
    </Card>
  );
}

interface NoteProps {
  note: PersonNote;
  onOpen: () => void;
  onRemove: () => void;
}

function Note({ note: { text, author, writtenAt, can }, onOpen, onRemove }: NoteProps) {
  return (
    <>
      {text === null ? (
        <Group gap={6}>
          <LockKeyhole size={15} aria-hidden />
          <Text fw={550}>Restricted note</Text>
        </Group>
      ) : (
        <Text className={wrapping.wholeWords} style={{ whiteSpace: 'pre-wrap' }}>
          {text}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {author.name}, <DateTime value={writtenAt} />
      </Text>
      <Group gap="xs" mt={4}>
        {text === null ? (
          <Button variant="default" size="compact-sm" onClick={onOpen} aria-label={`Read the note by ${author.name}`}>
            Read
          </Button>
        ) : null}
        {can.remove ? (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            onClick={onRemove}
            aria-label={`Remove the note by ${author.name}`}
          >
            Remove
          </Button>
        ) : null}
      </Group>
    </>
  );
}

function NewNote({ personId, name, onClose }: PersonNotesProps & { onClose: () => void }) {
  const form = useForm<{ kind: NoteKind; text: string }>({ kind: 'staff', text: '' });
  const { afterAsking, question } = useUnsavedChanges(form.draft.text !== '');
  const writing = useAction(writePersonNote, {
    success: 'Note Saved',
    failureTitle: 'Note Not Saved',
    onSuccess: onClose,
    onError: form.showRefusal,
  });
  return (
    <form
      onSubmit={form.submit(NewPersonNote, (note) => writing.run({ params: { id: personId }, body: note }))}
      noValidate
      aria-label="Write a note"
    >
      <Stack gap="sm">
        <LongText
          label="Note"
          description={`${name} does not see it.`}
          required
          autosize
          minRows={3}
          maxLength={limitOf(NewPersonNote, 'text')}
          data-autofocus
          autoFocus
          {...form.field('text')}
        />
        <Radio.Group label="Who reads it" {...form.field('kind')}>
          <Stack gap={6} mt={4}>
            {Object.entries(kinds).map(([kind, { label, description }]) => (
              <Radio key={kind} value={kind} label={label} description={description} />
            ))}
          </Stack>
        </Radio.Group>
        <Group gap="sm" justify="flex-end">
          <Button variant="default" onClick={() => afterAsking(onClose)}>
            Cancel
          </Button>
          <Button type="submit" loading={writing.isRunning}>
            Save note
          </Button>
        </Group>
      </Stack>
      {question}
    </form>
  );
}

/** A restricted note is read here alone, after a reason. */
function OpenedNote({ note, onClose }: { note: PersonNote; onClose: () => void }) {
  const [text, setText] = useState<string | null>(null);
  const opening = useAction(openPersonNote, {
    failureTitle: 'Note Not Opened',
    onSuccess: (reply) => setText(reply.text),
  });
  return (
    <Modal opened onClose={onClose} title="Restricted note">
      {text === null ? (
        <ReasonForm
          label="Why do you read it?"
          description="We log your name, the time and your reason."
          missing="Please say why you read it."
          maxLength={limitOf(openPersonNote.body, 'reason')}
          confirmLabel="Read note"
          isRunning={opening.isRunning}
          onConfirm={(reason) => opening.run({ params: { id: note.id }, body: { reason } })}
          onClose={onClose}
        >
          Written by {note.author.name}, <DateTime value={note.writtenAt} />.
        </ReasonForm>
      ) : (
        <Stack gap="md">
          <Text className={wrapping.wholeWords} style={{ whiteSpace: 'pre-wrap' }}>
            {text}
          </Text>
          <Button variant="default" onClick={onClose} style={{ alignSelf: 'flex-end' }} data-autofocus>
            Close
          </Button>
        </Stack>
      )}
    </Modal>
  );
}

function RemoveNote({ note, onClose }: { note: PersonNote | null; onClose: () => void }) {
  const removal = useAction(removePersonNote, {
    success: 'Note Removed',
    failureTitle: 'Note Not Removed',
    onSuccess: onClose,
    onError: onClose,
  });
  return (
    <ConfirmDialog
      isOpen={note !== null}
      title="Remove note"
      confirmLabel="Remove note"
      isDestructive
      isRunning={removal.isRunning}
      onConfirm={() => note && removal.run({ params: { id: note.id } })}
      onClose={onClose}
    >
      The note by <b>{note?.author.name}</b> will be gone for everybody. The audit log keeps that it existed, without
      its text. This cannot be undone.
    </ConfirmDialog>
  );
}
