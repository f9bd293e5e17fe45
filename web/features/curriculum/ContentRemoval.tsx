import { Stack, Text } from '@mantine/core';
import {
  deleteContent,
  deleteContentAssignment,
  listContents,
  type ManagedAssignment,
  type ManagedContent,
} from '#contract/contents.ts';
import { refresh } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { assignmentRemovalWords, contentRemovalWords } from './removal-words.ts';

interface ContentRemovalProps {
  item: ManagedContent;
  onClose: () => void;
  onDeleted: () => void;
}

/** CONT-25 to CONT-27 */
export function ContentRemoval({ item, onClose, onDeleted }: ContentRemovalProps) {
  const removal = useAction(deleteContent, {
    success: ({ isArchived }) => ({
      title: 'Content Deleted',
      message: isArchived ? `${item.title}. What people worked on is archived.` : item.title,
    }),
    failureTitle: 'Delete Failed',
    refreshes: [listContents],
    onSuccess: onDeleted,
    onError: () => {
      onClose();
      void refresh([listContents]);
    },
  });
  return (
    <ConfirmDialog
      isOpen
      title="Delete content"
      confirmLabel="Delete content"
      isDestructive
      isRunning={removal.isRunning}
      onConfirm={() => removal.run({ params: { id: item.id } })}
      onClose={onClose}
    >
      <Question title={item.title} words={contentRemovalWords(item)} />
    </ConfirmDialog>
  );
}

interface AssignmentRemovalProps {
  assignment: ManagedAssignment;
  onClose: () => void;
  onDeleted: () => void;
}

/** CONT-34, CONT-35 */
export function AssignmentRemoval({ assignment, onClose, onDeleted }: AssignmentRemovalProps) {
  const removal = useAction(deleteContentAssignment, {
    success: ({ isArchived }) => ({
      title: 'Assignment Deleted',
      message: isArchived ? `${assignment.title}. The work on it is archived.` : assignment.title,
    }),
    failureTitle: 'Delete Failed',
    refreshes: [listContents],
    onSuccess: onDeleted,
    onError: () => {
      onClose();
      void refresh([listContents]);
    },
  });
  return (
    <ConfirmDialog
      isOpen
      title="Delete assignment"
      confirmLabel="Delete assignment"
      isDestructive
      isRunning={removal.isRunning}
      onConfirm={() => removal.run({ params: { id: assignment.id } })}
      onClose={onClose}
    >
      <Question title={assignment.title} words={assignmentRemovalWords(assignment)} />
    </ConfirmDialog>
  );
}

function Question({ title, words }: { title: string; words: string[] }) {
  return (
    <Stack gap="sm">
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {title}
      </Text>
      {words.map((sentence) => (
        <Text key={sentence}>{sentence}</Text>
      ))}
    </Stack>
  );
}
