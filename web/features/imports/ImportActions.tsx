import { Button, Group, Text } from '@mantine/core';
import { Download, MailPlus, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { overdueStates, resendImportInvitations } from '#contract/import-results.ts';
import { useAction } from '../../api/use-action.ts';
import { counted } from '../../ui/counted.ts';
import { downloadErrors, type ImportDetail } from './error-report.ts';
import { UndoImportDialog } from './UndoImportDialog.tsx';

/** Acts on an upload as a whole. */
export function ImportActions({ upload }: { upload: ImportDetail }) {
  const [isUndoing, setIsUndoing] = useState(false);
  const resend = useAction(resendImportInvitations, {
    success: ({ sent }) => ({
      title: 'Invitations Sent',
      message: sent === 1 ? 'One person has a new link.' : `${sent.toLocaleString('en-US')} people have a new link.`,
    }),
    failureTitle: 'Invitations Not Sent',
  });
  const { id, filename, errorReport, can, undo, status, undoneAt } = upload;
  const overdue = overdueStates.reduce((sum, state) => sum + countOf(upload, state), 0);
  const saysWhyNot = undo.refusal !== null && undoneAt === null && status !== 'processing' && undo.accounts > 0;
  return (
    <>
      <Group gap="sm">
        {errorReport.length > 0 ? (
          <Button
            variant="default"
            leftSection={<Download size={16} aria-hidden />}
            onClick={() =>
              downloadErrors(
                filename,
                errorReport.map(({ fileRow, email, error }) => ({ row: fileRow, email, error })),
              )
            }
          >
            Download error report
          </Button>
        ) : null}
        {can.resendOverdue ? (
          <Button
            variant="default"
            leftSection={<MailPlus size={16} aria-hidden />}
            onClick={() => resend.run({ params: { id }, body: {} })}
            loading={resend.isRunning}
          >
            Send {counted(overdue, 'overdue invitation')} again
          </Button>
        ) : null}
        {can.undo ? (
          <Button variant="default" leftSection={<Undo2 size={16} aria-hidden />} onClick={() => setIsUndoing(true)}>
            Undo import
          </Button>
        ) : null}
      </Group>
      {saysWhyNot ? (
        <Text size="sm" c="dimmed">
          Undo is not possible: {undo.refusal}
        </Text>
      ) : null}
      <UndoImportDialog upload={upload} isOpen={isUndoing} onClose={() => setIsUndoing(false)} />
    </>
  );
}

function countOf({ rowsByState }: ImportDetail, wanted: string): number {
  return rowsByState.find(({ state }) => state === wanted)?.rows ?? 0;
}
