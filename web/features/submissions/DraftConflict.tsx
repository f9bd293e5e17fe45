import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { DateTime } from '../../ui/DateTime.tsx';
import type { DeviceDraft, ServerDraft } from './draft-copies.ts';

type Content = Pick<DeviceDraft, 'text' | 'file'>;

interface DraftConflictProps {
  own: Content;
  other: ServerDraft;
  onChoose: (chosen: Content) => void;
}

/**
 * Another device, another window or an earlier save of this one, whose answer was lost, wrote on the same assignment.
 * Both versions are shown, and the person decides.
 */
export function DraftConflict({ own, other, onChoose }: DraftConflictProps) {
  const bothTexts = [own.text, other.text].filter((text) => text.trim()).join('\n\n');
  return (
    <Alert color="yellow" title="There are two versions of your work" role="alert">
      <Stack gap="sm">
        <Text size="sm">
          The other one was saved <DateTime value={other.updatedAt} />. What you write here is below, and stays on this
          device until you have chosen.
        </Text>
        {other.text.trim() ? (
          <Text
            component="blockquote"
            m={0}
            mah={240}
            tabIndex={0}
            aria-label="Text of the other version"
            style={{ whiteSpace: 'pre-wrap', overflowY: 'auto' }}
          >
            {other.text}
          </Text>
        ) : (
          <Text size="sm">There is no text in it.</Text>
        )}
        <Text size="sm">{other.file ? `File: ${other.file.name}` : 'It has no file.'}</Text>
        <Group gap="sm">
          <Button variant="default" size="sm" onClick={() => onChoose(own)}>
            Keep what is here
          </Button>
          <Button variant="default" size="sm" onClick={() => onChoose(other)}>
            Use the other version
          </Button>
          {own.text.trim() && other.text.trim() ? (
            <Button
              variant="default"
              size="sm"
              onClick={() => onChoose({ text: bothTexts, file: own.file ?? other.file })}
            >
              Keep both texts
            </Button>
          ) : null}
        </Group>
      </Stack>
    </Alert>
  );
}
