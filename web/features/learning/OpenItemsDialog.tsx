import { List } from '@mantine/core';
import type { ContentItem } from '#contract/activities.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';

interface OpenItemsDialogProps {
  items: ContentItem[];
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks once before an activity is completed while something required of it is open. */
export function OpenItemsDialog({ items, onConfirm, onClose }: OpenItemsDialogProps) {
  useReturnFocus();
  return (
    <ConfirmDialog
      isOpen
      title={items.length === 1 ? '1 required item is open' : `${items.length} required items are open`}
      confirmLabel="Complete anyway"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      Not done yet:
      <List my="xs">
        {items.map(({ id, title }) => (
          <List.Item key={id}>{title}</List.Item>
        ))}
      </List>
      You can still do {items.length === 1 ? 'it' : 'them'} later.
    </ConfirmDialog>
  );
}
