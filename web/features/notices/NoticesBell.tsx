import { ActionIcon, Box, Indicator } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Bell } from 'lucide-react';
import { useRef } from 'react';
import { useSession } from '../../api/session.ts';
import { usePart } from '../../ui/use-part.ts';

/** The person's notices, behind a bell that counts the unread ones. */
export function NoticesBell() {
  const { unreadNotices } = useSession();
  const [isOpen, list] = useDisclosure(false);
  const bell = useRef<HTMLButtonElement>(null);
  const part = usePart('notices', () => import('./NoticesPopover.tsx'), { isNeeded: isOpen });
  const label =
    unreadNotices > 0 ? `Notifications, ${unreadNotices.toLocaleString('en-US')} unread` : 'Notifications, none unread';
  return (
    <Box pos="relative" display="inline-flex">
      <ActionIcon
        ref={bell}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
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
      {part.data ? <part.data.NoticesPopover isOpen={isOpen} bell={bell} onClose={list.close} /> : null}
    </Box>
  );
}
