import { Anchor, Text } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import classes from './TextInRow.module.css';

interface TextInRowProps {
  /** What the text is, for people who only hear the button: 'the feedback on Relay report'. */
  name: string;
  /** As many lines show until the rest is asked for. */
  lines?: number;
  isDimmed?: boolean;
  children: ReactNode;
}

/** What somebody wrote, in a row. Where it is cut, a button shows all of it. */
export function TextInRow({ name, lines = 2, isDimmed = false, children }: TextInRowProps) {
  const text = useRef<HTMLParagraphElement>(null);
  const [isWhole, setWhole] = useState(false);
  const isCut = useIsCut(text, isWhole);
  return (
    <div className={classes.text}>
      <Text
        ref={text}
        className={classes.words}
        {...(isDimmed ? { c: 'dimmed' } : {})}
        {...(isWhole ? {} : { lineClamp: lines })}
      >
        {children}
      </Text>
      {isCut ? (
        <Anchor
          component="button"
          type="button"
          className={classes.more}
          underline="always"
          aria-expanded={isWhole}
          aria-label={`${isWhole ? 'Read less' : 'Read all'} of ${name}`}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Read less' : 'Read all'}
        </Anchor>
      ) : null}
    </div>
  );
}

/** The whole text is not cut, but its button stays so that the focus does. */
function useIsCut(text: RefObject<HTMLElement | null>, isWhole: boolean): boolean {
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    const element = text.current;
    const row = element?.parentElement;
    if (!element || !row || isWhole) return;
    const measure = () => setCut(isCutWithoutButton(element));
    const observer = new ResizeObserver(measure);
    observer.observe(row);
    // A font that comes late has other widths.
    document.fonts?.addEventListener('loadingdone', measure);
    return () => {
      observer.disconnect();
      document.fonts?.removeEventListener('loadingdone', measure);
    };
  }, [text, isWhole]);
  return isCut;
}

/** The button takes room from the text. A text that fits without it needs none. */
function isCutWithoutButton(element: HTMLElement): boolean {
  element.style.flex = '0 0 100%';
  const isCut = element.scrollHeight > element.clientHeight;
  element.style.flex = '';
  return isCut;
}
