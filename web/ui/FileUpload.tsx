import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { Dropzone, type FileRejection } from '@mantine/dropzone';
import { FileUp, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Upload } from 'tus-js-client';
import { formatBytes } from './bytes.ts';

export interface UploadedFile {
  id: string;
  name: string;
  size: number;
}

interface FileUploadProps {
  area: 'submissions' | 'my_files' | 'messages' | 'content';
  /** Extensions without the dot. */
  accept: readonly string[];
  maxBytes: number;
  label: string;
  onUploaded: (file: UploadedFile) => void;
  onFailed?: (message: string) => void;
  /** True from the choice of a file until it is uploaded, failed or cancelled. */
  onBusyChange?: (isBusy: boolean) => void;
}

type Progressing = { name: string; sent: number; size: number };

/** Uploads one file in pieces: a broken connection, a reload or a restarted server goes on where it stopped. */
export function FileUpload({ area, accept, maxBytes, label, onUploaded, onFailed, onBusyChange }: FileUploadProps) {
  const running = useRef<Upload | null>(null);
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

  const start = async (file: File) => {
    setProblem(null);
    show({ name: file.name, sent: 0, size: file.size });
    const upload = new Upload(file, {
      endpoint: '/api/uploads',
      metadata: { filename: file.name, filetype: file.type, area },
      headers: { 'X-Requested-With': 'switchyard' },
      chunkSize: 5 * 1024 * 1024,
      retryDelays: [200, 400, 800, 1600, 3200, 6400, 12_800],
      removeFingerprintOnSuccess: true,
      onProgress: (sent) => show({ name: file.name, sent, size: file.size }),
      onError: (error) => fail(reasonOf(error)),
      onSuccess: () => {
        running.current = null;
        show(null);
        onUploaded({ id: upload.url?.split('/').pop() ?? '', name: file.name, size: file.size });
      },
    });
    running.current = upload;
    const [earlier] = await upload.findPreviousUploads();
    if (earlier) upload.resumeFromPreviousUpload(earlier);
    upload.start();
  };

  const cancel = async () => {
    await running.current?.abort(true);
    running.current = null;
    show(null);
  };

  return (
    <Stack gap="xs">
      <Dropzone
        onDrop={([file]) => file && void start(file)}
        onReject={(rejections) => fail(rejectionOf(rejections, accept, maxBytes))}
        validator={(file) => (hasExtension(file.name, accept) ? null : { code: 'file-invalid-type', message: '' })}
        maxSize={maxBytes}
        multiple={false}
        enablePointerEvents
        useFsAccessApi={false}
        disabled={progress !== null}
        inputProps={{ 'aria-label': label }}
        radius="lg"
      >
        <Group gap="sm" wrap="nowrap">
          <FileUp size={22} aria-hidden />
          <div>
            <Text fw={550}>{label}</Text>
            <Text size="sm" c="dimmed">
              {accept.join(', ')} · up to {formatBytes(maxBytes)}
            </Text>
          </div>
        </Group>
      </Dropzone>
      {progress ? (
        <Stack gap={4} role="status">
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm" truncate>
              {progress.name}: {formatBytes(progress.sent)} of {formatBytes(progress.size)}
            </Text>
            <Button
              size="compact-sm"
              variant="subtle"
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

function hasExtension(name: string, accept: readonly string[]): boolean {
  return accept.includes(name.split('.').pop()?.toLowerCase() ?? '');
}

function rejectionOf(rejections: FileRejection[], accept: readonly string[], maxBytes: number): string {
  const [code] = rejections.flatMap(({ errors }) => errors.map((error) => error.code));
  if (code === 'file-too-large') return `The file is larger than ${formatBytes(maxBytes)}.`;
  if (code === 'too-many-files') return 'One file at a time, please.';
  return `File type not allowed. Accepted are ${accept.join(', ')}.`;
}

/** The server's own words, where it sent any. */
function reasonOf(error: Error): string {
  const body = 'originalResponse' in error ? (error.originalResponse as { getBody(): string } | null)?.getBody() : null;
  if (!body) return 'File upload failed. Please check your connection and try again.';
  try {
    const problem: unknown = JSON.parse(body);
    if (problem && typeof problem === 'object' && 'detail' in problem) return String(problem.detail);
  } catch (parseError) {
    if (!(parseError instanceof SyntaxError)) throw parseError;
  }
  return body;
}
