import { Button, Group } from '@mantine/core';
import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide-react';

interface RowActionsProps {
  name: string;
  onEdit?: () => void;
  onDelete?: () => void;
  onMove?: (direction: 'up' | 'down') => void;
  isFirst?: boolean;
  isLast?: boolean;
}

export function RowActions({ name, onEdit, onDelete, onMove, isFirst, isLast }: RowActionsProps) {
  return (
    <Group gap={6} miw={{ base: 0, sm: onMove ? 230 : 0 }}>
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
      {onEdit ? (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<Pencil size={14} aria-hidden />}
          aria-label={`Edit ${name}`}
          onClick={onEdit}
        >
          Edit
        </Button>
      ) : null}
      {onDelete ? (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<Trash2 size={14} aria-hidden />}
          aria-label={`Delete ${name}`}
          onClick={onDelete}
        >
          Delete
        </Button>
      ) : null}
    </Group>
  );
}
