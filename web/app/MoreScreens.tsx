import { UnstyledButton } from '@mantine/core';
import { useDidUpdate, useLocalStorage } from '@mantine/hooks';
import { Link, useRouterState } from '@tanstack/react-router';
import { ChevronDown, ChevronRight, Ellipsis } from 'lucide-react';
import { useId, useRef } from 'react';
import { useSignedInUser } from '../api/session.ts';
import { Hint } from '../ui/Hint.tsx';
import { useCurrentEntry } from './current-entry.ts';
import { moreScreens } from './more-screens.ts';
import classes from './Sidebar.module.css';

const fewEnoughToShow = 3;

interface MoreScreensProps {
  isCollapsed: boolean;
  /** Null if the sidebar does not collapse. */
  onExpand: (() => void) | null;
}

/** The screens that the navigation does not list, below it. A few are shown at once, more than that on demand. */
export function MoreScreens({ isCollapsed, onExpand }: MoreScreensProps) {
  const screens = moreScreens[useSignedInUser().role];
  const place = useRouterState({ select: (state) => state.location.pathname });
  const markOf = useCurrentEntry();
  const [isWanted, setWanted] = useLocalStorage<boolean | null>({
    key: 'switchyard.more-screens-shown',
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const id = useId();
  const isOpen = isWanted ?? (screens.length <= fewEnoughToShow || screens.some(({ to }) => to === place));
  const list = useRef<HTMLDivElement>(null);
  useDidUpdate(() => {
    if (isOpen) list.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  if (isCollapsed) {
    return (
      <Hint label="More" position="right">
        <UnstyledButton
          className={classes.entry}
          onClick={() => {
            setWanted(true);
            onExpand?.();
          }}
        >
          <Ellipsis size={18} aria-hidden />
          <span className={classes.hidden}>More</span>
        </UnstyledButton>
      </Hint>
    );
  }
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      <UnstyledButton
        className={classes.entry}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setWanted(!isOpen)}
      >
        <Chevron size={18} aria-hidden />
        <span className={classes.label}>More</span>
      </UnstyledButton>
      <div ref={list} id={id} hidden={!isOpen}>
        {screens.map(({ label, to }) => (
          <Link
            key={to}
            {...markOf(to)}
            to={to}
            className={classes.entry}
            data-indented
            activeProps={{ 'data-active': true, 'aria-current': 'page' }}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            <span className={classes.label}>{label}</span>
          </Link>
        ))}
      </div>
    </>
  );
}
