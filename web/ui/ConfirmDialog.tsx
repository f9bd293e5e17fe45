import '../styles/later.css';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useOpenOnceThere } from './use-open-once-there.ts';

interface ConfirmDialogProps {
  isOpen: boolean;
  title: string;
  /** The question. It names the thing that the act is about. */
  children: ReactNode;
  /** The verb, e.g. 'Delete resource', never 'OK'. */
  confirmLabel: string;
  isDestructive?: boolean;
  isRunning?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

export function ConfirmDialog({
  isOpen,
  title,
  children,
  confirmLabel,
  isDestructive,
  isRunning,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  return (
    <Modal opened={useOpenOnceThere(isOpen)} onClose={onClose} title={title}>
      <Stack gap="lg">
        <Text component="div">{children}</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color={isDestructive ? 'red.9' : undefined} onClick={onConfirm} loading={isRunning ?? false}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
