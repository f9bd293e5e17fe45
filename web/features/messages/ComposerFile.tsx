import { Box, Button, Group, Progress, Text } from '@mantine/core';
import { FileText, X } from 'lucide-react';
import { formatBytes } from '../../ui/bytes.ts';
import type { AttachedFile } from './unsent.ts';

interface ComposerFileProps {
  uploading: { name: string; size: number; sent: number } | null;
  file: AttachedFile | null;
  /** The message goes as soon as the file is there. */
  isWaitedFor: boolean;
  onRemove: () => void;
  onCancel: () => void;
}

/** The message's file, during its upload or after it. */
export function ComposerFile({ uploading, file, isWaitedFor, onRemove, onCancel }: ComposerFileProps) {
  const shown = uploading ?? file;
  if (!shown) return null;
  return (
    <Box mb="xs" role="status">
      <Group gap="xs" wrap="nowrap">
        <FileText size={16} aria-hidden style={{ flexShrink: 0 }} />
        <Text size="sm" truncate title={shown.name}>
          {shown.name}
        </Text>
      </Group>
      <Group gap="xs" justify="space-between" wrap="nowrap">
        <Text size="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {uploading ? `${percentOf(uploading)} % of ${formatBytes(uploading.size)}` : formatBytes(shown.size)}
        </Text>
        <Button
          size="compact-sm"
          variant="subtle"
          flex="0 0 auto"
          leftSection={<X size={14} aria-hidden />}
          aria-label={uploading ? `Cancel the upload of ${shown.name}` : `Remove ${shown.name}`}
          onClick={uploading ? onCancel : onRemove}
        >
          {uploading ? 'Cancel' : 'Remove'}
        </Button>
      </Group>
      {uploading ? <Progress mt={4} value={percentOf(uploading)} aria-label={`Uploading ${uploading.name}`} /> : null}
      {isWaitedFor ? (
        <Text size="sm" c="dimmed" mt={4}>
          We send your message once the file is uploaded. To change it, cancel the upload.
        </Text>
      ) : null}
    </Box>
  );
}

function percentOf({ sent, size }: { sent: number; size: number }): number {
  return size === 0 ? 100 : Math.round((100 * sent) / size);
}
