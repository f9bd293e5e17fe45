import { Button, Group, Menu } from '@mantine/core';
import { ArrowDown, ArrowUp, Pencil } from 'lucide-react';
import { DeleteItem } from '../../ui/DeleteItem.tsx';
import { RowMenu } from '../../ui/RowMenu.tsx';

interface RowActionsProps {
  name: string;
  onEdit?: () => void;
  onDelete?: () => void;
  onMove?: (direction: 'up' | 'down') => void;
  isFirst?: boolean;
  isLast?: boolean;
}

/** The acts upon a row of a phone. Moving it is in the menu, because the row has no room for four buttons. */
export function RowActionsOnPhone({ name, onEdit, onDelete, onMove, isFirst, isLast }: RowActionsProps) {
  return (
    <Group gap={6} wrap="nowrap">
      {onEdit ? <EditButton name={name} onEdit={onEdit} /> : null}
      {onDelete || onMove ? (
        <RowMenu name={name}>
          {onMove ? (
            <>
              <MoveItem name={name} direction="up" isDisabled={isFirst} onMove={onMove} />
              <MoveItem name={name} direction="down" isDisabled={isLast} onMove={onMove} />
            </>
          ) : null}
          {onDelete ? <DeleteItem name={name} onDelete={onDelete} /> : null}
        </RowMenu>
      ) : null}
    </Group>
  );
}

export function RowActions({ name, onEdit, onDelete, onMove, isFirst, isLast }: RowActionsProps) {
  return (
    <Group gap={6} wrap="nowrap">
      {onMove ? (
        <>
          <Button
            variant="default"
            size="compact-sm"
            px={6}
            aria-label={`Move ${name} up`}
            disabled={isFirst ?? false}
            onClick={() => onMove('up')}
          >
            <ArrowUp size={15} aria-hidden />
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            px={6}
            aria-label={`Move ${name} down`}
            disabled={isLast ?? false}
            onClick={() => onMove('down')}
          >
            <ArrowDown size={15} aria-hidden />
          </Button>
        </>
      ) : null}
      {onEdit ? <EditButton name={name} onEdit={onEdit} /> : null}
      {onDelete ? (
        <RowMenu name={name}>
          <DeleteItem name={name} onDelete={onDelete} />
        </RowMenu>
      ) : null}
    </Group>
  );
}

function EditButton({ name, onEdit }: { name: string; onEdit: () => void }) {
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<Pencil size={14} aria-hidden />}
      aria-label={`Edit ${name}`}
      onClick={onEdit}
    >
      Edit
    </Button>
  );
}

interface MoveItemProps {
  name: string;
  direction: 'up' | 'down';
  isDisabled: boolean | undefined;
  onMove: (direction: 'up' | 'down') => void;
}

function MoveItem({ name, direction, isDisabled = false, onMove }: MoveItemProps) {
  const Arrow = direction === 'up' ? ArrowUp : ArrowDown;
  return (
    <Menu.Item
      leftSection={<Arrow size={14} aria-hidden />}
      aria-label={`Move ${name} ${direction}`}
      disabled={isDisabled}
      onClick={() => onMove(direction)}
    >
      Move {direction}
    </Menu.Item>
  );
}
