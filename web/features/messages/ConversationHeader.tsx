import { ActionIcon, Group, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { paths } from '../../app/paths.ts';
import classes from './Messages.module.css';

interface ConversationHeaderProps {
  title: string;
  lead: ReactNode;
  /** The acts on the conversation. */
  children?: ReactNode;
}

/** On a phone it leads back to the contacts. */
export function ConversationHeader({ title, lead, children }: ConversationHeaderProps) {
  return (
    <Group className={classes.header} gap="sm" wrap="nowrap">
      <ActionIcon
        variant="subtle"
        size={40}
        hiddenFrom="sm"
        aria-label="Back to the contacts"
        renderRoot={(props) => (
          <Link to={paths.messages} search={({ q }: { q?: string }) => (q ? { q } : {})} {...props} />
        )}
      >
        <ArrowLeft size={20} aria-hidden />
      </ActionIcon>
      <div style={{ minWidth: 0, flex: '1 1 0' }}>
        <Title order={2} className={classes.name}>
          {title}
        </Title>
        {lead ? (
          <Text size="sm" c="dimmed" component="div">
            {lead}
          </Text>
        ) : null}
      </div>
      {children}
    </Group>
  );
}
