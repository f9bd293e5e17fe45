import { ActionIcon, Box, Group, Text } from '@mantine/core';
import { SendHorizontal } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { refuseUpload } from '#contract/files.ts';
import { hasWords, messageRequired, sendMessage } from '#contract/messages.ts';
import { type RunningUpload, startUpload } from '../../api/upload.ts';
import { LongText } from '../../ui/LongText.tsx';
import { limitOf, surplusInWords } from '../../ui/text-limit.ts';
import { showToast } from '../../ui/toast.tsx';
import { AttachButton } from './AttachButton.tsx';
import { ComposerFile } from './ComposerFile.tsx';
import classes from './Messages.module.css';
import { type AttachedFile, type Draft, putOutgoing, saveDraft, unsentOf, useUnsent } from './unsent.ts';

interface ComposerProps {
  userId: string;
  person: { id: string; name: string };
}

const longestMessage = limitOf(sendMessage.body, 'text');
const empty: Draft = { text: '', file: null };

type Uploading = { name: string; size: number; sent: number };

/** This device keeps the text of each conversation until it is sent. */
export function Composer({ userId, person }: ComposerProps) {
  const draft = useUnsent(userId).drafts[person.id] ?? empty;
  const [uploading, setUploading] = useState<Uploading | null>(null);
  const [refusedFile, setRefusedFile] = useState<string | null>(null);
  const [isWaitingForFile, setWaitingForFile] = useState(false);
  const running = useRef<RunningUpload | null>(null);
  /**
   * The text when the person sent the message and it began to wait for its file. The message goes with this text only.
   */
  const wished = useRef<string | null>(null);
  /**
   * True until the person types again after sending. An Enter on the empty field is then the same press, sent twice.
   */
  const hasJustSent = useRef(false);
  const field = useRef<HTMLTextAreaElement>(null);

  const change = (changes: Partial<Draft>) => {
    const changed = { ...draftOf(userId, person.id), ...changes };
    saveDraft(userId, person.id, changed.text || changed.file ? changed : null);
  };
  const waitForFile = (text: string | null) => {
    wished.current = text;
    setWaitingForFile(text !== null);
  };
  const send = (file: AttachedFile | null) => {
    waitForFile(null);
    putOutgoing(userId, { recipientId: person.id, text: draftOf(userId, person.id).text, file });
    saveDraft(userId, person.id, null);
    hasJustSent.current = true;
  };
  const surplus = surplusInWords(draft.text, longestMessage);
  const submit = () => {
    field.current?.focus();
    if (surplus)
      showToast({ type: 'error', title: 'Message Too Long', message: `Your message is ${surplus} Please shorten it.` });
    else if (uploading) waitForFile(draft.text);
    else if (hasWords(draft.text) || draft.file) send(draft.file);
    else showToast({ type: 'error', ...messageRequired });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While a person composes a word, Enter ends the word.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    const isEmpty = !hasWords(draft.text) && !draft.file && !uploading;
    if (isEmpty && (event.repeat || hasJustSent.current)) return;
    submit();
  };

  const endUpload = () => {
    running.current = null;
    setUploading(null);
  };
  const fail = (message: string) => {
    endUpload();
    waitForFile(null);
    showToast({ type: 'error', title: 'Send Failed', message: `The file upload failed: ${message}` });
  };
  const attach = (file: File) => {
    const refusal = refuseUpload('messages', file.name, file.size);
    setRefusedFile(refusal?.message ?? null);
    if (refusal) return fail(refusal.message);
    const { name, size } = file;
    setUploading({ name, size, sent: 0 });
    running.current = startUpload(file, 'messages', {
      onProgress: (sent) => setUploading({ name, size, sent }),
      onFailed: fail,
      // Another conversation may be open by now.
      onDone: (id) => {
        endUpload();
        const attached = { id, name, size };
        if (wished.current === draftOf(userId, person.id).text) return send(attached);
        waitForFile(null);
        return change({ file: attached });
      },
    });
  };

  return (
    <Box className={classes.composer}>
      {uploading || draft.file ? (
        <ComposerFile
          uploading={uploading}
          file={draft.file}
          isWaitedFor={isWaitingForFile}
          onRemove={() => change({ file: null })}
          onCancel={() => {
            void running.current?.cancel();
            endUpload();
            waitForFile(null);
          }}
        />
      ) : null}
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <AttachButton isDisabled={uploading !== null} onChoose={attach} />
        <LongText
          ref={field}
          aria-label={`Message to ${person.name}`}
          placeholder="Write a message"
          dir="auto"
          enterKeyHint="send"
          autosize
          minRows={1}
          maxRows={6}
          maxLength={longestMessage}
          flex={1}
          value={draft.text}
          readOnly={isWaitingForFile}
          onChange={({ currentTarget }) => {
            hasJustSent.current = false;
            setRefusedFile(null);
            change({ text: currentTarget.value });
          }}
          onBlur={() => {
            hasJustSent.current = false;
          }}
          onKeyDown={onKeyDown}
        />
        <ActionIcon size={36} aria-label="Send message" title="Send message" onClick={submit}>
          <SendHorizontal size={18} aria-hidden />
        </ActionIcon>
      </Group>
      {refusedFile ? (
        <Text size="sm" mt={4} c="var(--mantine-color-error)" role="alert">
          {refusedFile}
        </Text>
      ) : null}
      <Text size="xs" c="dimmed" visibleFrom="sm">
        Enter sends the message, Shift+Enter starts a new line.
      </Text>
    </Box>
  );
}

function draftOf(userId: string, personId: string): Draft {
  return unsentOf(userId).drafts[personId] ?? empty;
}
