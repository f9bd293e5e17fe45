import { Stack, Text } from '@mantine/core';
import {
  deleteContent,
  deleteContentAssignment,
  type ManagedAssignment,
  type ManagedContent,
} from '#contract/contents.ts';
import { useAction } from '../../../api/use-action.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { assignmentRemovalWords, contentRemovalWords } from './removal-words.ts';

interface ContentRemovalProps {
  item: ManagedContent;
  onClose: () => void;
  onDeleted: () => void;
}

/** CONT-25 to CONT-27 */
export function ContentRemoval({ item, ...acts }: ContentRemovalProps) {
  return (
    <Removal
      {...acts}
      endpoint={deleteContent}
      thing="content"
      id={item.id}
      title={item.title}
      words={contentRemovalWords(item)}
      archivedWords="What people worked on is archived."
    />
  );
}

interface AssignmentRemovalProps {
  assignment: ManagedAssignment;
  onClose: () => void;
  onDeleted: () => void;
}

/** CONT-34, CONT-35 */
export function AssignmentRemoval({ assignment, ...acts }: AssignmentRemovalProps) {
  return (
    <Removal
      {...acts}
      endpoint={deleteContentAssignment}
      thing="assignment"
      id={assignment.id}
      title={assignment.title}
      words={assignmentRemovalWords(assignment)}
      archivedWords="The work on it is archived."
    />
  );
}

interface RemovalProps {
  endpoint: typeof deleteContent | typeof deleteContentAssignment;
  thing: 'content' | 'assignment';
  id: string;
  title: string;
  /** The things that go with it. */
  words: string[];
  /** The message if it was archived instead of deleted. */
  archivedWords: string;
  onClose: () => void;
  onDeleted: () => void;
}

function Removal({ endpoint, thing, id, title, words, archivedWords, onClose, onDeleted }: RemovalProps) {
  const removal = useAction(endpoint, {
    success: ({ isArchived }) => ({
      title: thing === 'content' ? 'Content Deleted' : 'Assignment Deleted',
      message: isArchived ? `${title}. ${archivedWords}` : title,
    }),
    failureTitle: 'Delete Failed',
    onSuccess: onDeleted,
    onError: () => {
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      title={`Delete ${thing}`}
      confirmLabel={`Delete ${thing}`}
      isDestructive
      isRunning={removal.isRunning}
      onConfirm={() => removal.run({ params: { id } })}
      onClose={onClose}
    >
      <Question title={title} words={words} />
    </ConfirmDialog>
  );
}

function Question({ title, words }: { title: string; words: string[] }) {
  return (
    <Stack gap="sm">
      <Text fw={600}>{title}</Text>
      {words.map((sentence) => (
        <Text key={sentence}>{sentence}</Text>
      ))}
    </Stack>
  );
}
