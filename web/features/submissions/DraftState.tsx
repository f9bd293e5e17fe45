import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';

interface DraftStateProps {
  hasDraft: boolean;
  isSaved: boolean;
  /** True if this browser can keep the draft. */
  isKept: boolean;
  isSaving: boolean;
  /** True until the person has chosen between two versions. Neither is saved until then. */
  awaitsChoice: boolean;
  isDiscarding: boolean;
  onDiscard: () => void;
}

/** Says where the draft is kept, and offers to discard it. */
export function DraftState({ isDiscarding, onDiscard, ...state }: DraftStateProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" c="dimmed">
        {inWords(state)}
      </Text>
      {state.hasDraft ? (
        <Button variant="subtle" size="compact-sm" onClick={() => setAsking(true)}>
          Discard draft
        </Button>
      ) : null}
      <ConfirmDialog
        isOpen={isAsking}
        title="Discard this draft?"
        confirmLabel="Discard draft"
        isDestructive
        isRunning={isDiscarding || state.isSaving}
        onConfirm={() => {
          setAsking(false);
          onDiscard();
        }}
        onClose={() => setAsking(false)}
      >
        We remove the text and file that you have not handed in, on all your devices.
      </ConfirmDialog>
    </Group>
  );
}

function inWords({
  hasDraft,
  isSaved,
  isKept,
  isSaving,
  awaitsChoice,
}: Omit<DraftStateProps, 'isDiscarding' | 'onDiscard'>): string {
  if (!hasDraft) return 'What you write is kept as a draft until you submit.';
  if (isSaved) return 'Draft saved. You can continue on any device.';
  if (awaitsChoice) return 'Draft not saved: please choose a version first.';
  if (isSaving) return 'Saving the draft…';
  if (isKept) return "Draft kept on this device. We'll save it once we can reach Switchyard.";
  return 'This browser cannot keep your draft, and it is not saved yet: please stay on the page.';
}
