import { Button, Group } from '@mantine/core';
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
        <RowMenu name={name}>
          <DeleteItem name={name} onDelete={onDelete} />
        </RowMenu>
      ) : null}
    </Group>
  );
}
