import { Menu } from '@mantine/core';
import { Trash2 } from 'lucide-react';

interface DeleteItemProps {
  /** The thing that goes. */
  name: string;
  onDelete: () => void;
}

/** Stands last in the menu of a row, so nobody presses it by mistake. A dialog asks first. */
export function DeleteItem({ name, onDelete }: DeleteItemProps) {
  return (
    <Menu.Item
      color="var(--status-danger)"
      leftSection={<Trash2 size={14} aria-hidden />}
      aria-label={`Delete ${name}`}
      onClick={onDelete}
    >
      Delete
    </Menu.Item>
  );
}
