import { ActionIcon, Indicator, Popover } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Bell } from 'lucide-react';
import { useSession } from '../../api/session.ts';
import { NoticeList } from './NoticeList.tsx';

/** The person's notices, behind a bell that counts the unread ones. */
export function NoticesBell() {
  const { unreadNotices } = useSession();
  const [isOpen, list] = useDisclosure(false);
  const label = unreadNotices > 0 ? `Notifications, ${unreadNotices} unread` : 'Notifications, none unread';
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => (opened ? list.open() : list.close())}
      width="min(400px, calc(100vw - 24px))"
      position="bottom-start"
      shadow="md"
      radius="lg"
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={label}
          onClick={list.toggle}
          style={{ overflow: 'visible' }}
        >
          <Indicator
            label={unreadNotices > 99 ? '99+' : unreadNotices}
            size={16}
            color="indigo"
            disabled={unreadNotices === 0}
            zIndex={1}
          >
            <Bell size={20} aria-hidden />
          </Indicator>
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label="Notifications">
        <NoticeList onLeave={list.close} />
      </Popover.Dropdown>
    </Popover>
  );
}
