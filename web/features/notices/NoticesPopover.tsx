import { Popover } from '@mantine/core';
import { useClickOutside } from '@mantine/hooks';
import { type RefObject, useState } from 'react';
import { useOpenOnceThere } from '../../ui/use-open-once-there.ts';
import { NoticeList } from './NoticeList.tsx';

interface NoticesPopoverProps {
  isOpen: boolean;
  bell: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/** Opens below what it stands in. The bell itself is outside of it, because it is there before this is loaded. */
export function NoticesPopover({ isOpen, bell, onClose }: NoticesPopoverProps) {
  const [dropdown, setDropdown] = useState<HTMLDivElement | null>(null);
  useClickOutside(() => (isOpen ? onClose() : undefined), null, [bell.current, dropdown]);
  return (
    <Popover
      opened={useOpenOnceThere(isOpen)}
      onChange={(opened) => (opened ? undefined : onClose())}
      closeOnClickOutside={false}
      width="min(400px, calc(100vw - 24px))"
      position="bottom-start"
      shadow="md"
      radius="lg"
      trapFocus
      returnFocus
      withinPortal
      withRoles={false}
    >
      <Popover.Target>
        <span aria-hidden style={{ position: 'absolute', inset: 0, pointerEvents: 'none' }} />
      </Popover.Target>
      <Popover.Dropdown ref={setDropdown} p={0} role="dialog" aria-label="Notifications">
        <NoticeList onLeave={onClose} />
      </Popover.Dropdown>
    </Popover>
  );
}
