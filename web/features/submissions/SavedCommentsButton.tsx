import { Button, Popover } from '@mantine/core';
import type { CommentFacts } from '#contract/saved-comments.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { usePart } from '../../ui/use-part.ts';

interface SavedCommentsButtonProps {
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  facts: CommentFacts;
  feedback: string;
  onInsert: (text: string) => void;
}

/** Opens the saved comments. They load when they are opened. */
export function SavedCommentsButton({ isOpen, onOpen, ...rest }: SavedCommentsButtonProps) {
  return (
    <Popover
      opened={isOpen}
      onChange={onOpen}
      width="min(380px, calc(100vw - 24px))"
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button variant="default" size="compact-sm" onClick={() => onOpen(!isOpen)}>
          Saved comments
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Saved comments">
        <Part {...rest} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Part(props: Omit<SavedCommentsButtonProps, 'isOpen' | 'onOpen'>) {
  const part = usePart('saved comments', () => import('./SavedComments.tsx'));
  return (
    <Loaded read={part} failure="This could not be loaded" loading={{ label: 'Loading saved comments', rows: 3 }}>
      {({ SavedComments }) => <SavedComments {...props} />}
    </Loaded>
  );
}
