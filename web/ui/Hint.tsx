import { useTimeout, useWindowEvent } from '@mantine/hooks';
import { cloneElement, type FocusEvent, type ReactElement, useId, useRef, useState } from 'react';
import { usePart } from './use-part.ts';

interface HintProps {
  label: string;
  position?: 'top' | 'right';
  isDisabled?: boolean;
  /** One element that takes a ref and has no such handlers of its own. */
  children: ReactElement<Record<string, unknown>>;
}

/** Time to move the pointer from the element to the words. */
const wayInMs = 150;

/**
 * A few words beside what the pointer is on, or the keyboard. They stay while the pointer is on them. Esc takes them away.
 */
export function Hint({ label, position = 'top', isDisabled = false, children }: HintProps) {
  const id = useId();
  const target = useRef<HTMLElement>(null);
  const [isWanted, setWanted] = useState(false);
  const { start: leave, clear: stay } = useTimeout(() => setWanted(false), wayInMs);
  const show = () => {
    stay();
    setWanted(true);
  };
  const isOpen = isWanted && !isDisabled;
  const bubble = usePart('hint', () => import('./HintBubble.tsx'), { isNeeded: isOpen });
  useWindowEvent('keydown', ({ key }) => {
    if (key === 'Escape') setWanted(false);
  });
  const asked = cloneElement(children, {
    ref: target,
    'aria-describedby': isOpen ? id : undefined,
    onMouseEnter: show,
    onMouseLeave: leave,
    onFocus: ({ currentTarget }: FocusEvent) => setWanted(currentTarget.matches(':focus-visible')),
    onBlur: () => setWanted(false),
  });
  return (
    <>
      {asked}
      {bubble.data ? (
        <bubble.data.HintBubble
          id={id}
          target={target}
          label={label}
          position={position}
          isOpen={isOpen}
          onPointerEnter={show}
          onPointerLeave={leave}
        />
      ) : null}
    </>
  );
}
