import { Box, Button, Group, Text, Title, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { listNotices, markAllNoticesRead, markNoticeRead, type Notice } from '#contract/notices.ts';
import { pagesFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { paths } from '../../app/paths.ts';
import { counted } from '../../ui/counted.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { LongList } from '../../ui/LongList.tsx';
import { EmptyState } from '../../ui/states.tsx';
import classes from './NoticeList.module.css';

/** Shows the notices, newest first. Each leads to its place, and is then read. */
export function NoticeList({ onLeave }: { onLeave: () => void }) {
  const notices = useInfiniteQuery(pagesFor(listNotices, { query: {} }));
  const rows = notices.data?.pages.flatMap((page) => page.rows) ?? [];
  const markAll = useAction(markAllNoticesRead, { failureTitle: 'Not Marked as Read' });
  const [newest] = rows;
  return (
    <Box>
      <Group justify="space-between" wrap="nowrap" px="md" py="sm" gap="sm">
        <Title order={2} tabIndex={-1} data-autofocus style={{ outline: 'none' }}>
          Notifications
        </Title>
        {newest && rows.some(({ isRead }) => !isRead) ? (
          <Button
            variant="subtle"
            size="compact-sm"
            loading={markAll.isRunning}
            onClick={() => markAll.run({ body: { upToId: newest.id } })}
          >
            Mark all as read
          </Button>
        ) : null}
      </Group>
      <div className={classes.frame}>
        <LoadedRows
          list={notices}
          failure="The notifications could not be loaded"
          loading={{ label: 'Loading your notifications', rows: 3 }}
          empty={
            <EmptyState title="No notifications yet">
              Reviews, stipends, messages and reminders are listed here.
            </EmptyState>
          }
        >
          {(rows) => (
            <div className={classes.list}>
              <LongList rows={rows} keyOf={({ id }) => id} rowHeight={90}>
                {(notice) => <NoticeEntry notice={notice} onLeave={onLeave} />}
              </LongList>
              {notices.hasNextPage ? (
                <Button
                  variant="subtle"
                  fullWidth
                  radius={0}
                  onClick={() => void notices.fetchNextPage()}
                  loading={notices.isFetchingNextPage}
                >
                  Show earlier ones
                </Button>
              ) : null}
            </div>
          )}
        </LoadedRows>
      </div>
      <Box px="md" py="sm" style={{ borderTop: '1px solid var(--mantine-color-default-border)' }}>
        <Link
          to={paths.notificationPreferences}
          onClick={onLeave}
          style={{ color: 'var(--mantine-color-anchor)', fontSize: 14 }}
        >
          Notification preferences
        </Link>
      </Box>
    </Box>
  );
}

function NoticeEntry({ notice, onLeave }: { notice: Notice; onLeave: () => void }) {
  const navigate = useNavigate();
  const mark = useAction(markNoticeRead);
  const open = () => {
    if (!notice.isRead) mark.run({ params: { id: notice.id } });
    if (notice.link === null) return;
    onLeave();
    void navigate({ href: notice.link });
  };
  return (
    <UnstyledButton
      className={classes.entry}
      data-unread={!notice.isRead || undefined}
      {...(notice.link === null ? {} : { component: 'a', href: notice.link })}
      onClick={(event: MouseEvent) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        open();
      }}
    >
      <Text fw={notice.isRead ? 500 : 650} size="sm" span display="block">
        {notice.title}
        {notice.isRead ? null : (
          <Text span size="xs" c="var(--mantine-color-anchor)" ml={8}>
            Unread
          </Text>
        )}
      </Text>
      <Text size="sm" span display="block">
        {notice.message}
        {notice.earlierCount > 0 ? ` ${counted(notice.earlierCount, 'earlier change')}.` : null}
      </Text>
      <Text size="xs" c="dimmed" span display="block" mt={2}>
        <DateTime value={notice.createdAt} />
      </Text>
    </UnstyledButton>
  );
}
