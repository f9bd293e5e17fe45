import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CirclePause } from 'lucide-react';
import { listUserFiles, type UnfinishedUpload } from '#contract/user-files.ts';
import { messageOf } from '../../api/api-error.ts';
import { refresh } from '../../api/query-for.ts';
import { discardUpload } from '../../api/upload.ts';
import { formatBytes } from '../../ui/bytes.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { showToast } from '../../ui/toast.tsx';

interface UnfinishedUploadsProps {
  uploads: UnfinishedUpload[];
  onContinue: () => void;
}

/** Uploads that stopped with a closed tab or a lost device. They take space until they go on or are discarded. */
export function UnfinishedUploads({ uploads, onContinue }: UnfinishedUploadsProps) {
  const discard = useMutation({
    mutationFn: discardUpload,
    onError: (error) => showToast({ type: 'error', title: 'Delete Failed', message: messageOf(error) }),
    onSettled: () => refresh([listUserFiles]),
  });
  return (
    <Alert
      color="yellow"
      icon={<CirclePause size={18} aria-hidden />}
      title="Uploads that did not finish"
      radius="lg"
      role="region"
      aria-label="Uploads that did not finish"
    >
      <Stack gap="sm">
        <Text size="sm">
          Choose the same file again on the same device, and the upload goes on where it stopped. After a day it is
          removed.
        </Text>
        {uploads.map(({ id, name, size, begunAt }) => (
          <Group key={id} justify="space-between" gap="xs">
            <Text size="sm" style={{ minWidth: 0 }}>
              <b>{name}</b>, {formatBytes(size)}, started <DateTime value={begunAt} />
            </Text>
            <Group gap="xs">
              <Button size="compact-sm" variant="default" onClick={onContinue} aria-label={`Choose again: ${name}`}>
                Choose again
              </Button>
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => discard.mutate(id)}
                disabled={discard.isPending}
                aria-label={`Discard ${name}`}
              >
                Discard
              </Button>
            </Group>
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}
