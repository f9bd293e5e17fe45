import { Card, Image, Stack, Text, Title } from '@mantine/core';
import type { ResponseOf } from '#contract/endpoint.ts';
import { downloadFile } from '#contract/files.ts';
import type { readSubmission } from '#contract/reviews.ts';
import { addressOf } from '../../api/call.ts';
import { paths } from '../../app/paths.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { NameLink } from '../../ui/NameLink.tsx';
import { WrittenText } from '../../ui/WrittenText.tsx';
import { SubmissionRounds } from './SubmissionRounds.tsx';
import { SubmittedFile } from './SubmittedFile.tsx';

/** The submitted work, with the rounds before it. */
export function ReviewedWork({ submission }: { submission: ResponseOf<typeof readSubmission> }) {
  const [current, ...earlier] = submission.rounds;
  const [latest] = earlier;
  return (
    <Stack gap="md">
      <div>
        <Title order={3}>{submission.assignmentTitle}</Title>
        <Text c="dimmed" size="sm">
          <NameLink
            name={submission.participantName}
            to={submission.can.openPerson ? paths.person(submission.participantId) : null}
          />{' '}
          · Week {submission.weekNumber}, {submission.activityTitle} · Submitted{' '}
          <DateTime value={submission.submittedAt} />
          {submission.roundNumber > 1 ? ` · Round ${submission.roundNumber}` : ''}
        </Text>
      </div>
      {latest?.feedback ? (
        <section aria-label={`About round ${latest.roundNumber}`}>
          <Text size="sm" c="dimmed">
            {latest.reviewerName ?? 'A former reviewer'} on round {latest.roundNumber}:
          </Text>
          {/* The earlier round below has all of it. */}
          <Text size="sm" lineClamp={3} style={{ whiteSpace: 'pre-wrap' }}>
            {latest.feedback}
          </Text>
        </section>
      ) : null}
      <Card component="section" padding="md" aria-label="What was handed in">
        <Stack gap="md">
          {current?.text ? (
            <Text style={{ whiteSpace: 'pre-wrap' }}>{current.text}</Text>
          ) : (
            <Text c="dimmed">No text was handed in.</Text>
          )}
          {current?.file ? <FilePreview file={current.file} /> : null}
        </Stack>
      </Card>
      {earlier.length > 0 ? (
        <Stack component="section" gap="xs" aria-label="Earlier rounds">
          <Text fw={600}>Earlier rounds</Text>
          <SubmissionRounds rounds={earlier} maxPoints={submission.maxPoints} isNewestOpen />
        </Stack>
      ) : null}
      <details>
        <summary style={{ cursor: 'pointer' }}>Instructions of the assignment</summary>
        <WrittenText>{submission.instructions}</WrittenText>
      </details>
    </Stack>
  );
}

interface FilePreviewProps {
  file: { id: string; name: string; size: number; mimeType: string };
}

/** Shows a submission's file. Pictures appear in place, and PDFs too if the browser can show them. */
function FilePreview({ file }: FilePreviewProps) {
  const address = addressOf(downloadFile, { params: { id: file.id }, query: { inline: '1' } });
  const isPicture = file.mimeType.startsWith('image/') && file.mimeType !== 'image/svg+xml';
  return (
    <Stack gap="sm">
      <SubmittedFile file={file} />
      {isPicture ? <Image src={address} alt={`The file ${file.name}`} radius="md" fit="contain" mah={520} /> : null}
      {file.mimeType === 'application/pdf' && navigator.pdfViewerEnabled ? (
        <iframe src={address} title={`The file ${file.name}`} width="100%" height="520" style={{ border: 0 }} />
      ) : null}
    </Stack>
  );
}
