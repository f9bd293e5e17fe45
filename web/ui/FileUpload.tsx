import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import { refuseUpload, type UploadArea } from '#contract/files.ts';
import { type RunningUpload, startUpload } from '../api/upload.ts';
import { formatBytes } from './bytes.ts';
import { FileZone } from './FileZone.tsx';

export interface UploadedFile {
  id: string;
  name: string;
  size: number;
}

interface FileUploadProps {
  area: UploadArea;
  /** Replaces the words that fit the device. */
  label?: string | undefined;
  onUploaded: (file: UploadedFile) => void;
  onFailed?: (message: string) => void;
  /** True from the choice of a file until it is uploaded, failed or cancelled. */
  onBusyChange?: (isBusy: boolean) => void;
}

type Progressing = { name: string; sent: number; size: number };

/**
 * Uploads one file in pieces. After a broken connection, a reload or a restart of the server, it goes on where it
 * stopped.
 */
export function FileUpload({ area, label, onUploaded, onFailed, onBusyChange }: FileUploadProps) {
  const running = useRef<RunningUpload | null>(null);
  const [progress, setProgress] = useState<Progressing | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const show = (next: Progressing | null) => {
    setProgress(next);
    onBusyChange?.(next !== null);
  };

  const fail = (message: string) => {
    running.current = null;
    show(null);
    setProblem(message);
    onFailed?.(message);
  };

  const choose = (file: File) => {
    const refusal = refuseUpload(area, file.name, file.size);
    if (refusal) fail(refusal.message);
    else start(file);
  };

  const start = (file: File) => {
    const { name, size } = file;
    setProblem(null);
    show({ name, sent: 0, size });
    running.current = startUpload(file, area, {
      onProgress: (sent) => show({ name, sent, size }),
      onFailed: fail,
      onDone: (id) => {
        running.current = null;
        show(null);
        onUploaded({ id, name, size });
      },
    });
  };

  const cancel = async () => {
    await running.current?.cancel();
    running.current = null;
    show(null);
  };

  return (
    <Stack gap="xs">
      <FileZone
        area={area}
        label={label}
        isDisabled={progress !== null}
        onChoose={([file]) => file && choose(file)}
        onReject={() => fail('One file at a time, please.')}
      />
      {progress ? (
        <Stack gap={4} role="status">
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm" truncate flex="1 1 0" miw={0}>
              {progress.name}: {formatBytes(progress.sent)} of {formatBytes(progress.size)}
            </Text>
            <Button
              size="compact-sm"
              variant="subtle"
              style={{ flexShrink: 0 }}
              leftSection={<X size={14} aria-hidden />}
              onClick={() => void cancel()}
            >
              Cancel
            </Button>
          </Group>
          <Progress
            value={progress.size === 0 ? 100 : (100 * progress.sent) / progress.size}
            aria-label={`Uploading ${progress.name}`}
          />
        </Stack>
      ) : null}
      {problem ? (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      ) : null}
    </Stack>
  );
}
