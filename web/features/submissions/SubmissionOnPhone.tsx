import { Anchor, Button, Group, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import type { SubmissionRow } from '#contract/submissions.ts';
import { downloadStoredFile } from '../../api/download.ts';
import { paths } from '../../app/paths.ts';
import { formatDay } from '../../ui/dates.ts';
import { RowMenu } from '../../ui/RowMenu.tsx';
import { TwoLines } from '../../ui/TwoLines.tsx';

/** Says which work it is, and what a reviewer looks for next. */
export function WorkOnPhone({ row }: { row: SubmissionRow }) {
  const { assignmentId, assignmentTitle, submittedAt, roundNumber, claim, hasOwnDraft } = row;
  const facts = [
    claim && !claim.isOwn ? `${claim.reviewerName} is reviewing it` : null,
    hasOwnDraft ? 'You have a draft' : null,
    formatDay(submittedAt),
    roundNumber > 1 ? `Round ${roundNumber}` : null,
  ];
  return (
    <TwoLines
      first={
        <Anchor component={Link} to={paths.assignment(assignmentId)}>
          {assignmentTitle}
        </Anchor>
      }
      second={facts.filter(Boolean).join(' · ')}
    />
  );
}

interface ActsOnPhoneProps {
  row: SubmissionRow;
  onOpen: (submissionId: string) => void;
}

export function ActsOnPhone({ row, onOpen }: ActsOnPhoneProps) {
  const whose = `${row.assignmentTitle} by ${row.participantName}`;
  const act = row.can.review ? 'Review' : 'View';
  return (
    <Group gap={6} wrap="nowrap">
      <Button
        size="compact-md"
        fz="sm"
        variant={row.can.review ? 'filled' : 'default'}
        onClick={() => onOpen(row.id)}
        aria-label={`${act} ${whose}`}
      >
        {act}
      </Button>
      <FileMenu row={row} whose={whose} />
    </Group>
  );
}

export function OwnActsOnPhone({ row }: { row: SubmissionRow }) {
  const { assignmentId, assignmentTitle, id, can, fileId } = row;
  if (!can.resubmit && !fileId) return null;
  return (
    <Group gap={6} wrap="nowrap" pt={6}>
      {can.resubmit ? (
        <Button
          size="compact-md"
          fz="sm"
          renderRoot={(props) => <Link {...props} to={paths.assignment(assignmentId)} search={{ resubmit: id }} />}
          aria-label={`Resubmit ${assignmentTitle}`}
        >
          Resubmit
        </Button>
      ) : null}
      <FileMenu row={row} whose={assignmentTitle} />
    </Group>
  );
}

function FileMenu({ row: { fileId }, whose }: { row: SubmissionRow; whose: string }) {
  if (!fileId) return null;
  return (
    <RowMenu name={whose}>
      <Menu.Item
        leftSection={<Download size={14} aria-hidden />}
        aria-label={`Download the file of ${whose}`}
        onClick={() => void downloadStoredFile(fileId)}
      >
        Download
      </Menu.Item>
    </RowMenu>
  );
}
