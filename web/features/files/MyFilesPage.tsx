import { Box, Button, Card, Group, Select, Stack } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { deleteUserFile, type FileType, listUserFiles, type UserFile } from '#contract/user-files.ts';
import { pagesFor } from '../../api/query-for.ts';
import { useSignedInUser } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { formatBytes } from '../../ui/bytes.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { useAskedDialog } from '../../ui/use-asked-dialog.ts';
import { DropHint } from './DropHint.tsx';
import { FileList } from './FileList.tsx';
import { FilePreviewDialog } from './FilePreviewDialog.tsx';
import { useFileDrop } from './file-drop.ts';
import { useFilePlace } from './file-place.ts';
import { UnfinishedUploads } from './UnfinishedUploads.tsx';
import { UploadDialog } from './UploadDialog.tsx';
import { UploadList } from './UploadList.tsx';
import { addUploads, isUnderWay, useUploads } from './upload-queue.ts';

const typeNames: { value: FileType; label: string }[] = [
  { value: 'all', label: 'All files' },
  { value: 'documents', label: 'Documents' },
  { value: 'images', label: 'Images' },
  { value: 'videos', label: 'Videos' },
];

/** FILES-01 */
export function MyFilesPage() {
  const { id: userId } = useSignedInUser();
  const { place, change } = useFilePlace();
  const [isUploadOpen, setUploadOpen] = useState(false);
  const [doomed, setDoomed] = useState<UserFile | null>(null);
  const uploads = useUploads(userId);
  const list = useInfiniteQuery({
    ...pagesFor(listUserFiles, { query: { search: place.search, type: place.type } }),
    placeholderData: keepPreviousData,
  });
  const removal = useAction(deleteUserFile, {
    success: () => ({ title: 'File Deleted', message: doomed?.name ?? null }),
    failureTitle: 'Delete Failed',
    onSuccess: () => setDoomed(null),
    onError: () => {
      setDoomed(null);
    },
  });
  const [first] = list.data?.pages ?? [];
  const files = list.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const isFiltered = Boolean(place.search || (place.type && place.type !== 'all'));
  const ownUploadIds = new Set(uploads.map(({ uploadId }) => uploadId));
  const unfinished = first?.unfinished.filter(({ id }) => !ownUploadIds.has(id)) ?? [];
  const openUpload = () => setUploadOpen(true);
  useAskedDialog('upload', openUpload);
  const choose = (chosen: File[]) => {
    if (chosen.length === 0) return;
    addUploads(userId, chosen);
    openUpload();
  };
  const isDropOver = useFileDrop(choose);
  const uploadButton = (
    <Button leftSection={<Upload size={16} aria-hidden />} onClick={openUpload}>
      Upload files
    </Button>
  );

  return (
    <>
      <PageHeader
        title="My Files"
        lead="Files that you keep for yourself. Your coach and the administrators can open them too."
      >
        {first && first.fileCount === 0 ? null : uploadButton}
      </PageHeader>
      <Stack gap="md">
        {uploads.some(isUnderWay) && !isUploadOpen ? (
          <Card>
            <UploadList uploads={uploads} />
          </Card>
        ) : null}
        {unfinished.length > 0 ? <UnfinishedUploads uploads={unfinished} onContinue={openUpload} /> : null}
        {first && (first.fileCount > 0 || isFiltered) ? (
          <Group align="flex-end" gap="md">
            <SearchField
              label="Search"
              placeholder="File name"
              value={place.search ?? ''}
              onSearch={(search) => change({ search }, { replace: true })}
              flex={{ base: '1 0 100%', xs: '1 1 220px' }}
            />
            <Select
              label="Type"
              data={typeNames}
              value={place.type ?? 'all'}
              onChange={(type) => change({ type: type === 'all' ? undefined : (type as FileType) }, { replace: true })}
              allowDeselect={false}
              w={{ base: '100%', xs: 170 }}
            />
            <SpaceMeter usedBytes={first.usedBytes} allowedBytes={first.allowedBytes} />
          </Group>
        ) : null}
        <FileList
          list={list}
          fileCount={first?.fileCount ?? 0}
          uploadButton={uploadButton}
          onClear={() => change({ search: undefined, type: undefined })}
          onShow={({ id }) => change({ file: id })}
          onDelete={setDoomed}
        />
      </Stack>
      {isDropOver ? <DropHint /> : null}
      <UploadDialog isOpen={isUploadOpen} uploads={uploads} onChoose={choose} onClose={() => setUploadOpen(false)} />
      <FilePreviewDialog
        file={files.find(({ id, isShownInPlace }) => id === place.file && isShownInPlace) ?? null}
        onClose={() => change({ file: undefined })}
      />
      <ConfirmDialog
        isOpen={doomed !== null}
        title="Delete this file?"
        confirmLabel="Delete file"
        isDestructive
        isRunning={removal.isRunning}
        onConfirm={() => doomed && removal.run({ params: { id: doomed.id } })}
        onClose={() => setDoomed(null)}
      >
        <b>{doomed?.name}</b> is removed for good. It cannot be brought back.
      </ConfirmDialog>
    </>
  );
}

const nearlyFull = 0.9;

function SpaceMeter({ usedBytes, allowedBytes }: { usedBytes: number; allowedBytes: number }) {
  const share = usedBytes / allowedBytes;
  return (
    <Box flex={{ base: '1 0 100%', sm: '0 0 240px' }} pb={4}>
      <Meter
        label="Space"
        percentage={100 * share}
        text={`${formatBytes(usedBytes)} of ${formatBytes(allowedBytes)}`}
        {...(share >= nearlyFull ? { isMet: false, note: 'Nearly full: delete what you no longer need.' } : {})}
      />
    </Box>
  );
}
