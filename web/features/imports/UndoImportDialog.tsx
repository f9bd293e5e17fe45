import { List, Text } from '@mantine/core';
import { undoImport } from '#contract/import-results.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { counted } from '../../ui/counted.ts';
import type { ImportDetail } from './error-report.ts';

interface UndoImportDialogProps {
  upload: ImportDetail;
  isOpen: boolean;
  onClose: () => void;
}

/** Says in numbers what goes, before it goes. */
export function UndoImportDialog({ upload, isOpen, onClose }: UndoImportDialogProps) {
  const undo = useAction(undoImport, {
    success: ({ accounts }) => ({ title: 'Import Undone', message: `${counted(accounts, 'account')} removed.` }),
    failureTitle: 'Import Not Undone',
    onSuccess: onClose,
    onError: onClose,
  });
  const { accounts, participants, coaches, admins, places, leftWithoutCoach } = upload.undo;
  const kinds = [
    participants > 0 ? counted(participants, 'participant') : null,
    coaches > 0 ? counted(coaches, 'coach', 'coaches') : null,
    admins > 0 ? counted(admins, 'admin') : null,
  ].filter((kind) => kind !== null);
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Undo this import?"
      confirmLabel={`Remove ${counted(accounts, 'account')}`}
      isDestructive
      isRunning={undo.isRunning}
      onConfirm={() => undo.run({ params: { id: upload.id } })}
      onClose={onClose}
    >
      <Text mb="xs">
        This removes everybody that <b>{upload.filename}</b> added. None of them has signed in yet.
      </Text>
      <List spacing={4}>
        <List.Item>
          {counted(accounts, 'account')} removed ({kinds.join(', ')}); the addresses can be used again
        </List.Item>
        <List.Item>Links in their invitations stop working, and emails that are still waiting are not sent</List.Item>
        {places > 0 ? <List.Item>{counted(places, 'place')} in cohorts free again</List.Item> : null}
        {leftWithoutCoach > 0 ? (
          <List.Item>{counted(leftWithoutCoach, 'participant')} outside of this import left without a coach</List.Item>
        ) : null}
      </List>
    </ConfirmDialog>
  );
}
