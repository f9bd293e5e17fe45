import { Button } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { listUserFiles, UserFile } from '#contract/user-files.ts';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { NextPageButton } from '../../ui/NextPageButton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { FileTable } from './FileTable.tsx';

interface FileListProps {
  list: UseInfiniteQueryResult<InfiniteData<ResponseOf<typeof listUserFiles>>>;
  /** Counts all files of the person's own, whatever the search. */
  fileCount: number;
  uploadButton: ReactNode;
  onClear: () => void;
  onShow: (file: UserFile) => void;
  onDelete: (file: UserFile) => void;
}

/** Shows the files that match, or says why there are none. */
export function FileList({ list, fileCount, uploadButton, onClear, onShow, onDelete }: FileListProps) {
  return (
    <>
      <LoadedRows
        list={list}
        failure="Failed to load your files"
        loading={{ label: 'Loading files', rows: 6 }}
        empty={
          fileCount === 0 ? (
            <EmptyState title="No files yet" action={uploadButton}>
              Keep certificates, notes and pictures here: you can open them on every device.
            </EmptyState>
          ) : (
            <EmptyState
              title="No files match"
              action={
                <Button variant="default" onClick={onClear}>
                  Clear search and type
                </Button>
              }
            >
              None of your {fileCount.toLocaleString('en-US')} files has this name and type.
            </EmptyState>
          )
        }
      >
        {(files) => <FileTable files={files} onShow={onShow} onDelete={onDelete} />}
      </LoadedRows>
      <NextPageButton list={list} />
    </>
  );
}
