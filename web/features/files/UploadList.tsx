import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { CircleAlert, CircleCheck, RotateCw, X } from 'lucide-react';
import { formatBytes } from '../../ui/bytes.ts';
import { cancelUpload, isUnderWay, type QueuedUpload, retryUpload } from './upload-queue.ts';

/** Uploads under way, and the results of those that ended. */
export function UploadList({ uploads }: { uploads: QueuedUpload[] }) {
  return (
    <Stack component="ul" gap="md" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Uploads">
      {uploads.map((upload) => (
        <UploadLine key={upload.key} upload={upload} />
      ))}
    </Stack>
  );
}

function UploadLine({ upload }: { upload: QueuedUpload }) {
  const { key, file, state, sent, problem } = upload;
  return (
    <Stack component="li" gap={6}>
      <Group justify="space-between" gap="xs" align="flex-start">
        <Stack gap={2} miw={0} flex="1 1 150px">
          <Text fw={550}>{file.name}</Text>
          <UploadState upload={upload} />
        </Stack>
        <Group gap={4} wrap="nowrap" style={{ flexShrink: 0 }}>
          {state === 'failed' ? (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<RotateCw size={14} aria-hidden />}
              onClick={() => retryUpload(key)}
              aria-label={`Try again: ${file.name}`}
            >
              Try again
            </Button>
          ) : null}
          {state === 'done' ? null : (
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<X size={14} aria-hidden />}
              onClick={() => void cancelUpload(key)}
              aria-label={`${isUnderWay(upload) ? 'Cancel' : 'Remove'} ${file.name}`}
            >
              {isUnderWay(upload) ? 'Cancel' : 'Remove'}
            </Button>
          )}
        </Group>
      </Group>
      {isUnderWay(upload) ? <Progress value={(100 * sent) / file.size} aria-label={`Uploading ${file.name}`} /> : null}
      {problem ? (
        <Text size="sm" c="var(--mantine-color-error)">
          {problem}
        </Text>
      ) : null}
    </Stack>
  );
}

function UploadState({ upload: { state, sent, file } }: { upload: QueuedUpload }) {
  const size = formatBytes(file.size);
  if (state === 'done') {
    return (
      <Group gap={6} wrap="nowrap" c="var(--status-success)">
        <CircleCheck size={15} aria-hidden />
        <Text size="sm">Uploaded, {size}</Text>
      </Group>
    );
  }
  if (state === 'failed' || state === 'refused') {
    return (
      <Group gap={6} wrap="nowrap" c="var(--status-danger)">
        <CircleAlert size={15} aria-hidden />
        <Text size="sm">
          {state === 'refused' ? 'Not accepted' : 'Stopped'}, {size}
        </Text>
      </Group>
    );
  }
  return (
    <Text size="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {state === 'waiting' ? `Waiting, ${size}` : `${formatBytes(sent)} of ${size}`}
    </Text>
  );
}
