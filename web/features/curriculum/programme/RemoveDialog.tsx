import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { useReturnFocus } from '../../../ui/use-return-focus.ts';

interface RemoveDialogProps {
  /** 'course' */
  thing: string;
  name: string;
  /** What hangs on it, in numbers, so that it can not go; null where nothing does. */
  staysBecause: ReactNode | null;
  /** What happens when it goes. */
  children?: ReactNode;
  isRunning: boolean;
  onDelete: () => void;
  /** The way out where it can not go; without one there is none. */
  instead?: { label: string; words: string; run: () => void } | undefined;
  onClose: () => void;
}

/** What facts hang on stays: then archiving is offered in place of deleting. */
export function RemoveDialog(props: RemoveDialogProps) {
  const { thing, name, staysBecause, children, isRunning, onDelete, instead, onClose } = props;
  useReturnFocus();
  const mayGo = staysBecause === null;
  const act = mayGo ? onDelete : (instead?.run ?? onClose);
  const verb = mayGo ? `Delete ${thing}` : (instead?.label ?? 'Keep it');
  return (
    <ConfirmDialog
      isOpen
      title={mayGo || instead ? verb : `This ${thing} stays`}
      confirmLabel={verb}
      isDestructive={mayGo}
      isRunning={isRunning}
      onConfirm={act}
      onClose={onClose}
    >
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      <Text mt="xs" component="div">
        {mayGo ? (children ?? 'It is gone for good.') : staysBecause} {mayGo ? null : instead?.words}
      </Text>
    </ConfirmDialog>
  );
}
