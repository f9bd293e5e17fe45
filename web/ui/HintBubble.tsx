import { Tooltip } from '@mantine/core';
import type { RefObject } from 'react';

interface HintBubbleProps {
  id: string;
  target: RefObject<HTMLElement | null>;
  label: string;
  position: 'top' | 'right';
  isOpen: boolean;
  onPointerEnter: () => void;
  onPointerLeave: () => void;
}

export function HintBubble({ isOpen, ...rest }: HintBubbleProps) {
  return <Tooltip {...rest} opened={isOpen} interactive />;
}
