import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { useReturnFocus } from '../../../ui/use-return-focus.ts';

interface RemoveDialogProps {
  /** 'course' */
  thing: string;
  name: string;
  /** Says in numbers what depends on it, so that it cannot go. Null if nothing does. */
  staysBecause: ReactNode | null;
  /** Says what happens when it goes. */
  children?: ReactNode;
  isRunning: boolean;
  onDelete: () => void;
  /** Offers another act if it cannot go. */
  instead?: { label: string; words: string; run: () => void } | undefined;
  onClose: () => void;
}

/** A thing that facts depend on stays. The dialog may then offer to archive it instead of deleting it. */
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
      <Text fw={600}>{name}</Text>
      <Text mt="xs" component="div">
        {mayGo ? (children ?? 'It is gone for good.') : staysBecause} {mayGo ? null : instead?.words}
      </Text>
    </ConfirmDialog>
  );
}
