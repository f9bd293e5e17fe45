import type { ModalProps } from '@mantine/core';
import type { ComponentType } from 'react';
import { ReadFailure } from './Loaded.tsx';
import { useOpenOnceThere } from './use-open-once-there.ts';
import { usePart } from './use-part.ts';

/** A dialog of a first screen. What draws it comes later than the screen. */
export function Dialog(props: ModalProps) {
  const part = usePart('dialog', () => import('./DialogWindow.ts'), { isNeeded: props.opened });
  if (part.data) return <OpenedOnceThere {...props} window={part.data.Modal} />;
  return props.opened ? <ReadFailure read={part} failure="This could not be loaded" /> : null;
}

function OpenedOnceThere({ window: Window, opened, ...props }: ModalProps & { window: ComponentType<ModalProps> }) {
  return <Window {...props} opened={useOpenOnceThere(opened)} />;
}
