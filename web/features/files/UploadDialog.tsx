import { Button, Group, Modal, Stack, Text, VisuallyHidden } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { FileUp } from 'lucide-react';
import { uploadAreas } from '#contract/files.ts';
import { formatBytes } from '../../ui/bytes.ts';
import { UploadList } from './UploadList.tsx';
import { isUnderWay, type QueuedUpload } from './upload-queue.ts';

const { extensions, maxBytes } = uploadAreas.my_files;

interface UploadDialogProps {
  isOpen: boolean;
  uploads: QueuedUpload[];
  onChoose: (files: File[]) => void;
  onClose: () => void;
}

/** FILES-05. Closing the dialog stops nothing. The page shows uploads that are still on their way. */
export function UploadDialog({ isOpen, uploads, onChoose, onClose }: UploadDialogProps) {
  const isSending = uploads.some(isUnderWay);
  return (
    <Modal opened={isOpen} onClose={onClose} title="Upload files" size="lg">
      <Stack gap="lg">
        <Dropzone
          role="button"
          onDrop={onChoose}
          multiple
          enablePointerEvents
          useFsAccessApi={false}
          inputProps={{ 'aria-label': 'Choose files', style: { display: 'none' } }}
          radius="lg"
          data-autofocus
        >
          <Group gap="sm" wrap="nowrap">
            <FileUp size={24} aria-hidden style={{ flexShrink: 0 }} />
            <div>
              <Text fw={550}>Choose files or drop them here</Text>
              <Text size="sm" c="dimmed">
                {extensions.join(', ')} · up to {formatBytes(maxBytes)} each
              </Text>
            </div>
          </Group>
        </Dropzone>
        {uploads.length > 0 ? <UploadList uploads={uploads} /> : null}
        <VisuallyHidden role="status">{summaryOf(uploads)}</VisuallyHidden>
        <Group justify="flex-end" gap="sm">
          {isSending ? (
            <Text size="sm" c="dimmed" flex={1}>
              You can close this. The upload continues.
            </Text>
          ) : null}
          <Button variant="default" onClick={onClose}>
            {isSending ? 'Continue in the background' : 'Close'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** A screen reader reads this out, so it does not change with every byte. */
function summaryOf(uploads: QueuedUpload[]): string {
  if (uploads.length === 0) return '';
  const done = uploads.filter(({ state }) => state === 'done').length;
  return `${done.toLocaleString('en-US')} of ${uploads.length.toLocaleString('en-US')} uploaded`;
}
