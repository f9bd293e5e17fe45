import { Avatar, Badge, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Contact } from '#contract/messages.ts';
import { paths } from '../../app/paths.ts';
import { formatDay, formatTime } from '../../ui/dates.ts';
import classes from './Messages.module.css';
import { formatMessageTime } from './message-time.ts';
import { useNow } from './use-now.ts';

interface ContactEntryProps {
  contact: Contact;
  isSelected: boolean;
  showsRole: boolean;
}

export function ContactEntry({ contact, isSelected, showsRole }: ContactEntryProps) {
  const now = useNow();
  const { id, name, email, role, latest, unreadCount } = contact;
  return (
    <Link
      to={paths.messages}
      search={({ q }: { q?: string }) => (q ? { q, with: id } : { with: id })}
      resetScroll={false}
      className={classes.contact}
      data-selected={isSelected || undefined}
      aria-current={isSelected ? 'true' : undefined}
    >
      <Avatar name={name} color="gray" radius="xl" size={40} aria-hidden />
      <span className={classes.contactWords}>
        <span className={`${classes.contactLine} ${classes.contactHead}`}>
          <Text span truncate fw={unreadCount > 0 ? 700 : 550} title={`${name}, ${email}`}>
            {name}
          </Text>
          {latest ? (
            <Text
              span
              size="xs"
              c="dimmed"
              component="time"
              dateTime={latest.sentAt}
              title={`${formatDay(latest.sentAt, { withYear: true })}, ${formatTime(latest.sentAt)}`}
              className={classes.contactTime}
            >
              {formatMessageTime(latest.sentAt, now)}
            </Text>
          ) : null}
        </span>
        <span className={classes.contactLine}>
          <Text span size="sm" c="dimmed" truncate>
            {showsRole ? (role === 'coach' ? 'Coach' : 'Participant') : previewOf(latest)}
          </Text>
          {unreadCount > 0 ? (
            <Badge
              size="sm"
              variant="filled"
              color="indigo"
              aria-label={`${unreadCount.toLocaleString('en-US')} unread`}
              flex="0 0 auto"
            >
              {unreadCount > 99 ? '99+' : unreadCount}
            </Badge>
          ) : null}
        </span>
      </span>
    </Link>
  );
}

function previewOf(latest: Contact['latest']): string {
  if (!latest?.preview) return 'No messages yet';
  const { isOwn, text, hasFile } = latest.preview;
  const words = text || (hasFile ? 'A file' : '');
  return isOwn ? `You: ${words}` : words;
}
