import { ActionIcon, Anchor, Box, Button, Group, Text } from '@mantine/core';
import { Download, File, FileArchive, FileImage, FileText, FileVideo } from 'lucide-react';
import type { ReactNode } from 'react';
import { extensionOf } from '#contract/files.ts';
import { extensionsOfType, type UserFile } from '#contract/user-files.ts';
import { downloadStoredFile } from '../../api/download.ts';
import { formatBytes } from '../../ui/bytes.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { DeleteItem } from '../../ui/DeleteItem.tsx';
import { RowMenu } from '../../ui/RowMenu.tsx';
import { TwoLines } from '../../ui/TwoLines.tsx';

interface FileTableProps {
  files: UserFile[];
  onShow: (file: UserFile) => void;
  onDelete: (file: UserFile) => void;
}

/** FILES-02 */
export function FileTable({ files, onShow, onDelete }: FileTableProps) {
  const columns: Column<UserFile>[] = [
    { key: 'name', label: 'Name', onPhone: 'first', cell: (file) => <FileName file={file} onShow={onShow} /> },
    {
      key: 'size',
      label: 'Size',
      width: 96,
      isNumber: true,
      onPhone: 'second',
      cell: ({ size }) => formatBytes(size),
      cellOnPhone: ({ size, uploadedAt }) => (
        <Text size="sm" c="dimmed">
          {formatBytes(size)} · <DateTime value={uploadedAt} />
        </Text>
      ),
    },
    { key: 'uploaded', label: 'Uploaded', width: 206, cell: ({ uploadedAt }) => <DateTime value={uploadedAt} /> },
    {
      key: 'actions',
      label: 'Actions',
      width: 172,
      onPhone: 'firstEnd',
      cell: (file) => (
        <FileActions file={file} onDelete={onDelete}>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Download size={15} aria-hidden />}
            onClick={() => void downloadStoredFile(file.fileId)}
            aria-label={`Download ${file.name}`}
          >
            Download
          </Button>
        </FileActions>
      ),
      cellOnPhone: (file) => (
        <FileActions file={file} onDelete={onDelete}>
          <ActionIcon
            variant="default"
            onClick={() => void downloadStoredFile(file.fileId)}
            aria-label={`Download ${file.name}`}
          >
            <Download size={15} aria-hidden />
          </ActionIcon>
        </FileActions>
      ),
    },
  ];
  return <DataTable label="My Files" columns={columns} rows={files} keyOf={({ id }) => id} minWidth={700} />;
}

function FileName({ file, onShow }: { file: UserFile; onShow: (file: UserFile) => void }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <FileIcon name={file.name} />
      <Box miw={0}>
        <TwoLines
          first={
            file.isShownInPlace ? (
              <Anchor
                component="button"
                type="button"
                ta="left"
                fw={600}
                title={file.name}
                onClick={() => onShow(file)}
                aria-label={`Preview ${file.name}`}
              >
                {file.name}
              </Anchor>
            ) : (
              <Text inherit fw={600} span title={file.name}>
                {file.name}
              </Text>
            )
          }
        />
      </Box>
    </Group>
  );
}

const icons = { documents: FileText, images: FileImage, videos: FileVideo } as const;
const archives = ['zip', 'rar'];

function FileIcon({ name }: { name: string }) {
  const extension = extensionOf(name);
  const types = ['documents', 'images', 'videos'] as const;
  const type = types.find((candidate) => (extensionsOfType[candidate] as readonly string[]).includes(extension));
  const Icon = type ? icons[type] : archives.includes(extension) ? FileArchive : File;
  return <Icon size={20} aria-hidden style={{ flexShrink: 0 }} />;
}

interface FileActionsProps {
  file: UserFile;
  onDelete: (file: UserFile) => void;
  /** Takes the file out, in the room that there is. */
  children: ReactNode;
}

function FileActions({ file, onDelete, children }: FileActionsProps) {
  return (
    <Group gap="xs" wrap="nowrap">
      {children}
      <RowMenu name={file.name}>
        <DeleteItem name={file.name} onDelete={() => onDelete(file)} />
      </RowMenu>
    </Group>
  );
}
