import { Card, Group, Stack, Text, Title } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { useMutation, useQuery } from '@tanstack/react-query';
import { FileSpreadsheet } from 'lucide-react';
import { useRef, useState } from 'react';
import { checkImport } from '#contract/import-results.ts';
import { listImportableCohorts, listImports } from '#contract/imports.ts';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { queryFor, refresh } from '../../api/query-for.ts';
import { counted } from '../../ui/counted.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { hideToast, showToast, type Toast } from '../../ui/toast.tsx';
import { useUnsavedChanges } from '../../ui/use-unsaved-changes.tsx';
import { FilePreview } from './FilePreview.tsx';
import { FileRules } from './FileRules.tsx';
import { ImportHistory } from './ImportHistory.tsx';
import { ImportReport } from './ImportReport.tsx';
import { NoCohortNote } from './NoCohortNote.tsx';
import type { PeopleFile } from './parse-people-file.ts';
import { RunningImports } from './RunningImports.tsx';
import { type Chosen, readPeopleFile } from './read-people-file.ts';
import { sendUpload, type UploadAnswer } from './send-upload.ts';

interface Sent {
  importId: string;
  filename: string;
}

export function BulkInvitationsPage() {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [sent, setSent] = useState<Sent | null>(null);
  const choice = useRef(0);
  const lastToast = useRef<string | null>(null);
  const hasNoCohort = useQuery(queryFor(listImportableCohorts)).data?.cohorts.length === 0;
  const upload = useMutation({
    mutationFn: ({ filename, records }: PeopleFile) =>
      sendUpload(
        filename,
        records.map(({ record }) => record),
      ),
    onSuccess: async (answer, file) => {
      announce(answer);
      if (answer.import_id !== null) {
        setChosen(null);
        setSent({ importId: answer.import_id, filename: file.filename });
      }
      await refresh([listImports]);
    },
    onError: async (error) => {
      showToast(isAnswerLost(error) ? lostAnswer : failureOf(messageOf(error)));
      // The upload may have arrived all the same. The history shows it, and another try leaves out people who are
      // already in.
      await refresh([listImports, checkImport]);
    },
  });

  const isWaiting = chosen !== null && 'file' in chosen && chosen.file.errors.length === 0 && !upload.isPending;
  const { question } = useUnsavedChanges(isWaiting, { loss: 'The file that you chose is not uploaded yet.' });

  const choose = async (file: File) => {
    setSent(null);
    setChosen(null);
    // The toast about another file would stand beside this one.
    if (lastToast.current !== null) hideToast(lastToast.current);
    choice.current += 1;
    const own = choice.current;
    const result = await readPeopleFile(file);
    // Another file was chosen while this one was read.
    if (own !== choice.current) return;
    setChosen(result);
    if ('problem' in result) lastToast.current = showToast({ type: 'error', ...result.problem });
    else if (result.file.errors.length > 0) {
      const message = `${counted(result.file.errors.length, 'error')} in ${result.file.filename}. Nothing was uploaded.`;
      lastToast.current = showToast({ type: 'error', title: 'Validation Errors Found', message });
    }
  };

  return (
    <>
      <PageHeader
        title="Bulk User Creation"
        lead="Upload a CSV file of people. Each gets an account and an email with a link to choose a password."
      />
      <Stack gap="lg">
        {hasNoCohort ? <NoCohortNote /> : null}
        <CsvDropzone isDisabled={upload.isPending} hasNoCohort={hasNoCohort} onChoose={(file) => void choose(file)} />
        <Card>
          <FileRules />
        </Card>
        {chosen && 'problem' in chosen ? (
          <ErrorState title={chosen.problem.title} message={chosen.problem.message} />
        ) : null}
        {chosen && 'file' in chosen ? (
          <Card>
            <FilePreview
              file={chosen.file}
              choice={choice.current}
              isSending={upload.isPending}
              onUpload={() => upload.mutate(chosen.file)}
              onDiscard={() => setChosen(null)}
            />
          </Card>
        ) : null}
        {sent ? (
          <Card component="section" aria-labelledby="upload-result">
            <Title order={2} mb="xs" id="upload-result">
              Result of {sent.filename}
            </Title>
            <ImportReport importId={sent.importId} />
          </Card>
        ) : null}
        <RunningImports exceptId={sent?.importId ?? null} />
        <ImportHistory />
      </Stack>
      {question}
    </>
  );
}

interface CsvDropzoneProps {
  isDisabled: boolean;
  /** Files can be checked, and none can be uploaded. */
  hasNoCohort: boolean;
  onChoose: (file: File) => void;
}

function CsvDropzone({ isDisabled, hasNoCohort, onChoose }: CsvDropzoneProps) {
  return (
    <Dropzone
      role="button"
      onDrop={([file]) => file && onChoose(file)}
      onReject={() => showToast({ type: 'error', title: 'One File at a Time', message: 'Please select a CSV file' })}
      multiple={false}
      useFsAccessApi={false}
      enablePointerEvents
      disabled={isDisabled}
      inputProps={{ 'aria-label': 'CSV file', style: { display: 'none' } }}
      radius="lg"
      mih={112}
      style={{ display: 'flex', alignItems: 'center', justifyContent: 'center' }}
    >
      <Group gap="md" wrap="nowrap" justify="center">
        <FileSpreadsheet size={28} aria-hidden style={{ flexShrink: 0 }} />
        <div>
          <Text fw={550}>
            {hasNoCohort ? 'Drop a CSV file here to check it' : 'Drop a CSV file here, or click to choose one'}
          </Text>
          <Text size="sm" c="dimmed">
            Up to 5 MB and 1,000 people.{' '}
            {hasNoCohort ? 'You can upload it once there is a cohort.' : 'Nothing is created before you confirm.'}
          </Text>
        </div>
      </Group>
    </Dropzone>
  );
}

const lostAnswer: Toast = {
  type: 'warning',
  title: 'No Answer Received',
  message: 'We lost the connection. Your upload may have arrived: check the history below.',
};

function isAnswerLost(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'network';
}

function failureOf(message: string): Toast {
  return { type: 'error', title: 'User Creation Failed', message };
}

function announce(answer: UploadAnswer): void {
  const { successful_records: created, failed_records: failed } = answer;
  if (!answer.success) {
    showToast(failureOf(answer.error || 'Failed to process bulk user creation'));
  } else if (answer.status === 'processing') {
    const message = `${counted(answer.total_records, 'user')} on the way. You can leave this page.`;
    showToast({ type: 'info', title: 'Creating Users', message });
  } else {
    const message = `${counted(created, 'user')} created, ${failed.toLocaleString('en-US')} failed.`;
    showToast({ type: failed > 0 ? 'warning' : 'success', title: 'Users Created', message });
  }
}
