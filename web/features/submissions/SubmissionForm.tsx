import { Button, Card, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { readParticipantDashboard } from '#contract/home.ts';
import { readActivity, readTrainingCalendar } from '#contract/learning.ts';
import {
  listSubmissions,
  readAssignment,
  readSubmission,
  submissionFile,
  submitAssignment,
} from '#contract/submissions.ts';
import { refresh } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { paths } from '../../app/paths.ts';
import { FileUpload, type UploadedFile } from '../../ui/FileUpload.tsx';
import { showToast } from '../../ui/toast.tsx';
import type { OwnSubmission } from './assignment-state.ts';
import { SubmittedFile } from './SubmittedFile.tsx';
import { countWords, useTextDraft } from './text-draft.ts';

interface SubmissionFormProps {
  assignmentId: string;
  userId: string;
  /** What is handed in again; null for a first submission. */
  earlier: OwnSubmission | null;
}

const keptHere = 'What you type is kept on this device until you submit.';
const notKept = 'This browser can not keep what you type: please submit before you leave the page.';
const nothingGiven = 'Please provide either text submission or upload a file';

export function SubmissionForm({ assignmentId, userId, earlier }: SubmissionFormProps) {
  const round = earlier?.roundNumber ?? null;
  const { draft, isKept, save, discard } = useTextDraft({ kind: 'assignment', userId, subjectId: assignmentId });
  const [file, setFile] = useState<UploadedFile | null>(earlier?.file ?? null);
  const [isUploading, setUploading] = useState(false);
  const [isWaitingForFile, setWaitingForFile] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const textField = useRef<HTMLTextAreaElement>(null);
  const navigate = useNavigate();
  const text = draft && draft.round === round ? draft.text : (earlier?.text ?? '');

  const { run, isRunning } = useAction(submitAssignment, {
    success: earlier ? 'Assignment Resubmitted' : 'Assignment Submitted',
    failureTitle: 'Submission failed',
    refreshes: [listSubmissions, readSubmission, readParticipantDashboard, readActivity, readTrainingCalendar],
    onSuccess: async () => {
      await refresh([readAssignment]);
      discard();
      void navigate({ to: paths.assignment(assignmentId), replace: true, resetScroll: false });
    },
  });

  const send = () =>
    run({ params: { id: assignmentId }, body: { text, fileId: file?.id ?? null, basedOnRound: round } });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isUploading) {
      setWaitingForFile(true);
      return;
    }
    const isEmpty = !text.trim() && !file;
    setProblem(isEmpty ? nothingGiven : null);
    if (isEmpty) textField.current?.focus();
    else send();
  };
  useEffect(() => {
    if (!isWaitingForFile || isUploading) return;
    // Without a file the upload failed or was cancelled, and the wish to send it with it.
    setWaitingForFile(false);
    if (file) send();
  });
  const words = countWords(text);

  return (
    <Card component="form" onSubmit={submit} aria-labelledby="hand-in" noValidate>
      <Stack gap="md">
        <Title order={2} id="hand-in">
          {earlier ? 'Hand in again' : 'Your submission'}
        </Title>
        <Textarea
          ref={textField}
          label="Your text"
          description={`Text, a file or both. ${isKept ? keptHere : notKept}`}
          autosize
          minRows={8}
          maxRows={24}
          maxLength={200_000}
          value={text}
          onChange={({ currentTarget }) => {
            save({ text: currentTarget.value, round });
            setProblem(null);
          }}
          error={problem}
          errorProps={{ role: 'alert' }}
        />
        <Text size="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {words === 1 ? '1 word' : `${words} words`}
        </Text>
        {file ? (
          <SubmittedFile file={file}>
            <Button
              variant="default"
              size="sm"
              leftSection={<X size={15} aria-hidden />}
              onClick={() => setFile(null)}
              aria-label={`Remove ${file.name}`}
            >
              Remove
            </Button>
          </SubmittedFile>
        ) : (
          <FileUpload
            area="submissions"
            accept={submissionFile.extensions}
            maxBytes={submissionFile.maxBytes}
            label="Choose a file or drop it here"
            onBusyChange={setUploading}
            onUploaded={(uploaded) => {
              setFile(uploaded);
              setProblem(null);
            }}
            onFailed={(message) => showToast({ type: 'error', title: 'File upload failed', message })}
          />
        )}
        {isWaitingForFile ? (
          <Text size="sm" role="status">
            Your work is handed in as soon as the file is there.
          </Text>
        ) : null}
        <Group justify="flex-end" gap="sm">
          {earlier ? (
            <Button component={Link} to={paths.assignment(assignmentId)} variant="default">
              Cancel
            </Button>
          ) : null}
          <Button type="submit" loading={isRunning}>
            {earlier ? 'Resubmit Assignment' : 'Submit Assignment'}
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}
