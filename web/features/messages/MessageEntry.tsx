import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { Check, CheckCheck, CircleAlert, Clock, Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { downloadStoredFile } from '../../api/download.ts';
import { formatBytes } from '../../ui/bytes.ts';
import { LinkedText } from '../../ui/LinkedText.tsx';
import classes from './Messages.module.css';

interface MessageEntryProps {
  /** The server's id of the message. A message on its way has none yet. */
  id?: string;
  senderName: string;
  isOwn: boolean;
  isFirstOfRun: boolean;
  text: string;
  file: { id: string; name: string; size: number } | null;
  /** Stands below the message: its time, and the mark of an own message. */
  children: ReactNode;
}

/** Shows the text exactly as it was typed, never as markup (MSG-38). Addresses in it are links. */
export function MessageEntry({ id, senderName, isOwn, isFirstOfRun, text, file, children }: MessageEntryProps) {
  return (
    <div className={classes.message} data-own={isOwn || undefined} data-message={id}>
      {isFirstOfRun ? (
        <Text size="xs" fw={600} className={classes.sender}>
          {senderName}
        </Text>
      ) : null}
      <div className={classes.bubble}>
        {text ? (
          <p className={classes.text} dir="auto">
            <LinkedText>{text}</LinkedText>
          </p>
        ) : null}
        {file ? (
          <Button
            variant="default"
            size="compact-md"
            leftSection={<Download size={15} aria-hidden />}
            onClick={() => void downloadStoredFile(file.id)}
            className={classes.file}
          >
            <VisuallyHidden>Download </VisuallyHidden>
            <span className={classes.fileName}>{file.name}</span>
            <Text span size="xs" c="dimmed">
              {formatBytes(file.size)}
            </Text>
          </Button>
        ) : null}
      </div>
      <Group gap={6} className={classes.below}>
        {children}
      </Group>
    </div>
  );
}

const marks = {
  sent: { icon: Check, word: 'Sent' },
  read: { icon: CheckCheck, word: 'Read' },
  sending: { icon: Clock, word: 'Sending' },
  again: { icon: Clock, word: 'Not sent yet. Trying again' },
  waiting: { icon: Clock, word: 'Sent when you are online again' },
  failed: { icon: CircleAlert, word: 'Not sent' },
} as const;

/** MSG-16: what happened to an own message. */
export function SentMark({ state }: { state: keyof typeof marks }) {
  const { icon: Icon, word } = marks[state];
  return (
    <span className={classes.mark} data-state={state}>
      <Icon size={14} aria-hidden />
      {word}
    </span>
  );
}
