import { Anchor, Button, Group, Text } from '@mantine/core';
import { Download, File, FileArchive, FileImage, FileText, FileVideo } from 'lucide-react';
import { extensionOf } from '#contract/files.ts';
import { extensionsOfType, type UserFile } from '#contract/user-files.ts';
import { downloadStoredFile } from '../../api/download.ts';
import { formatBytes } from '../../ui/bytes.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { DeleteItem } from '../../ui/DeleteItem.tsx';
import { RowMenu } from '../../ui/RowMenu.tsx';

interface FileTableProps {
  files: UserFile[];
  onShow: (file: UserFile) => void;
  onDelete: (file: UserFile) => void;
}

/** FILES-02 */
export function FileTable({ files, onShow, onDelete }: FileTableProps) {
  const columns: Column<UserFile>[] = [
    { key: 'name', label: 'Name', cell: (file) => <FileName file={file} onShow={onShow} /> },
    { key: 'size', label: 'Size', width: 120, isNumber: true, cell: ({ size }) => formatBytes(size) },
    { key: 'uploaded', label: 'Uploaded', width: 200, cell: ({ uploadedAt }) => <DateTime value={uploadedAt} /> },
    { key: 'actions', label: 'Actions', width: 230, cell: (file) => <FileActions file={file} onDelete={onDelete} /> },
  ];
  return <DataTable label="My Files" columns={columns} rows={files} keyOf={({ id }) => id} />;
}

function FileName({ file, onShow }: { file: UserFile; onShow: (file: UserFile) => void }) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <FileIcon name={file.name} />
      {file.isShownInPlace ? (
        <Anchor
          component="button"
          type="button"
          ta="left"
          fw={550}
          onClick={() => onShow(file)}
          aria-label={`Preview ${file.name}`}
        >
          {file.name}
        </Anchor>
      ) : (
        <Text fw={550}>{file.name}</Text>
      )}
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

function FileActions({ file, onDelete }: { file: UserFile; onDelete: (file: UserFile) => void }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<Download size={15} aria-hidden />}
        onClick={() => void downloadStoredFile(file.fileId)}
        aria-label={`Download ${file.name}`}
      >
        Download
      </Button>
      <RowMenu name={file.name}>
        <DeleteItem name={file.name} onDelete={() => onDelete(file)} />
      </RowMenu>
    </Group>
  );
}
