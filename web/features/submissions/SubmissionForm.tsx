import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { readAssignment, submitAssignment } from '#contract/submissions.ts';
import { refresh } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { paths } from '../../app/paths.ts';
import { FileUpload } from '../../ui/FileUpload.tsx';
import { LongText } from '../../ui/LongText.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { showToast } from '../../ui/toast.tsx';
import type { Assignment } from './assignment-state.ts';
import { DraftConflict } from './DraftConflict.tsx';
import { DraftState } from './DraftState.tsx';
import { SubmittedFile } from './SubmittedFile.tsx';
import { useAssignmentDraft } from './use-assignment-draft.ts';

interface SubmissionFormProps {
  assignment: Assignment;
  userId: string;
}

const chooseFirst = 'Please choose first which of the two versions you want to hand in';
const nothingGiven = 'Please provide either text submission or upload a file';

export function SubmissionForm({ assignment, userId }: SubmissionFormProps) {
  const { id: assignmentId, submission: earlier } = assignment;
  const work = useAssignmentDraft(assignment, userId);
  const { text, file, round } = work.draft;
  const [isUploading, setUploading] = useState(false);
  const [isWaitingForFile, setWaitingForFile] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const textField = useRef<HTMLTextAreaElement>(null);
  const navigate = useNavigate();

  const { run, isRunning } = useAction(submitAssignment, {
    success: earlier ? 'Assignment Resubmitted' : 'Assignment Submitted',
    failureTitle: 'Submission failed',
    onSuccess: async () => {
      work.forget();
      await refresh([readAssignment]);
      void navigate({ to: paths.assignment(assignmentId), replace: true, resetScroll: false });
    },
  });

  const send = () =>
    run({ params: { id: assignmentId }, body: { text, fileId: file?.id ?? null, basedOnRound: round } });
  const refusalOf = () => {
    if (work.other) return chooseFirst;
    return text.trim() || file ? null : nothingGiven;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isUploading) {
      setWaitingForFile(true);
      return;
    }
    const refusal = refusalOf();
    setProblem(refusal);
    if (refusal) textField.current?.focus();
    else send();
  };
  useEffect(() => {
    if (!isWaitingForFile || isUploading) return;
    // Without a file, the upload failed or was cancelled, and so did the wish to send it.
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
        {work.other ? (
          <DraftConflict
            own={work.draft}
            other={work.other}
            onChoose={(chosen) => {
              if (work.other) work.settle({ text: chosen.text, file: chosen.file }, work.other);
              setProblem(null);
            }}
          />
        ) : null}
        <LongText
          ref={textField}
          label="Your text"
          description="Text, a file or both."
          autosize
          minRows={8}
          maxRows={24}
          maxLength={limitOf(submitAssignment.body, 'text')}
          value={text}
          onChange={({ currentTarget }) => {
            work.change({ text: currentTarget.value });
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
              onClick={() => work.change({ file: null })}
              aria-label={`Remove ${file.name}`}
            >
              Remove
            </Button>
          </SubmittedFile>
        ) : (
          <FileUpload
            area="submissions"
            onBusyChange={setUploading}
            onUploaded={(uploaded) => {
              work.change({ file: uploaded });
              setProblem(null);
            }}
            onFailed={(message) => showToast({ type: 'error', title: 'File upload failed', message })}
          />
        )}
        <DraftState
          hasDraft={work.hasDraft}
          isSaved={work.draft.isSaved}
          isKept={work.isKept}
          isSaving={work.isSaving}
          awaitsChoice={work.other !== null}
          isDiscarding={work.isDiscarding}
          onDiscard={work.discard}
        />
        {isWaitingForFile ? (
          <Text size="sm" role="status">
            We hand in your work once the file is uploaded.
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

function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}
