import { Box, Button } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { UserFile } from '#contract/user-files.ts';
import { messageOf } from '../../api/api-error.ts';
import { NextPageButton } from '../../ui/NextPageButton.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states.tsx';
import { FileTable } from './FileTable.tsx';

interface FileListProps {
  list: UseInfiniteQueryResult;
  files: UserFile[];
  /** Of all own files, whatever is searched for. */
  fileCount: number;
  uploadButton: ReactNode;
  onClear: () => void;
  onShow: (file: UserFile) => void;
  onDelete: (file: UserFile) => void;
}

/** The files that fit, or why there are none. */
export function FileList({ list, files, fileCount, uploadButton, onClear, onShow, onDelete }: FileListProps) {
  return (
    <>
      {list.isError ? (
        <ErrorState
          title="Failed to load your files"
          message={messageOf(list.error)}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
      ) : null}
      {list.isPending ? <LoadingState label="Loading files" rows={6} /> : null}
      {list.isSuccess && files.length === 0 && fileCount === 0 ? (
        <EmptyState title="No files yet" action={uploadButton}>
          Keep certificates, notes and pictures here: they are at hand on every device you sign in on.
        </EmptyState>
      ) : null}
      {list.isSuccess && files.length === 0 && fileCount > 0 ? (
        <EmptyState
          title="No file fits"
          action={
            <Button variant="default" onClick={onClear}>
              Clear search and type
            </Button>
          }
        >
          None of your {fileCount} files has this name and type.
        </EmptyState>
      ) : null}
      {files.length > 0 ? (
        <Box aria-busy={list.isPlaceholderData} style={{ opacity: list.isPlaceholderData ? 0.6 : 1 }}>
          <FileTable files={files} onShow={onShow} onDelete={onDelete} />
        </Box>
      ) : null}
      <NextPageButton list={list} />
    </>
  );
}
