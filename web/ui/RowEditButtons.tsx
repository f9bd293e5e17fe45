import { Button, Group } from '@mantine/core';

interface RowEditButtonsProps {
  edit: { theirs: object | null; isSaving: boolean; save: () => void; cancel: () => void };
}

/** For a row in edit. While two versions stand side by side, there is nothing to save yet. */
export function RowEditButtons({ edit }: RowEditButtonsProps) {
  return (
    <Group gap="xs">
      <Button
        size="compact-sm"
        onClick={edit.save}
        loading={edit.isSaving}
        disabled={edit.theirs !== null}
        title={edit.theirs ? 'Choose between both versions first' : undefined}
      >
        Save
      </Button>
      <Button variant="default" size="compact-sm" onClick={edit.cancel}>
        Cancel
      </Button>
    </Group>
  );
}
