import { Button, Group, Modal, Stack, Text, VisuallyHidden } from '@mantine/core';
import { FileZone } from '../../ui/FileZone.tsx';
import { UploadList } from './UploadList.tsx';
import { isUnderWay, type QueuedUpload } from './upload-queue.ts';

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
        <FileZone area="my_files" isMultiple isFocusedFirst onChoose={onChoose} />
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
