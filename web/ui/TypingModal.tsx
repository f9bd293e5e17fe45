import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useUnsavedChanges } from './use-unsaved-changes.tsx';

/** A dialog to write in. Escape, a click beside it or another page never discards typed text without a question. */
export function TypingModal({ opened, onClose, ...modal }: ModalProps) {
  const [isTyped, setTyped] = useState(false);
  useEffect(() => {
    if (!opened) setTyped(false);
  }, [opened]);
  const { closing, question } = useUnsavedChanges(opened && isTyped);
  return (
    <>
      <Modal opened={opened} {...closing(onClose)} onInput={() => setTyped(true)} {...modal} />
      {question}
    </>
  );
}
