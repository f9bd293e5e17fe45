import { Button, Group, Text } from '@mantine/core';
import { Download, FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import { downloadStoredFile } from '../../api/download.ts';
import { formatBytes } from '../../ui/bytes.ts';

interface SubmittedFileProps {
  file: { id: string; name: string; size: number };
  /** Another button, for example to remove the file. */
  children?: ReactNode;
}

export function SubmittedFile({ file, children }: SubmittedFileProps) {
  return (
    <Group gap="sm" justify="space-between">
      <Group gap="xs" wrap="nowrap" style={{ minWidth: 0, flex: '1 1 200px' }}>
        <FileText size={18} aria-hidden style={{ flexShrink: 0 }} />
        <Text>
          {file.name}{' '}
          <Text span c="dimmed" size="sm">
            {formatBytes(file.size)}
          </Text>
        </Text>
      </Group>
      <Group gap="xs">
        <Button
          variant="default"
          size="sm"
          leftSection={<Download size={15} aria-hidden />}
          onClick={() => void downloadStoredFile(file.id)}
          aria-label={`Download ${file.name}`}
        >
          Download
        </Button>
        {children}
      </Group>
    </Group>
  );
}
