import { Badge, Box, Divider, Group, Kbd, Stack, Text, UnstyledButton } from '@mantine/core';
import { useOs } from '@mantine/hooks';
import { Link, useRouterState } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { useSession, useSignedInUser } from '../api/session.ts';
import { Hint } from '../ui/Hint.tsx';
import { Logo } from '../ui/Logo.tsx';
import { useCurrentEntry } from './current-entry.ts';
import { MoreScreens } from './MoreScreens.tsx';
import { navigation } from './navigation.ts';
import classes from './Sidebar.module.css';
import { SidebarAccount } from './SidebarAccount.tsx';

interface SidebarProps {
  isCollapsed: boolean;
  /** Null if the sidebar is a drawer, which does not collapse. */
  onToggle: (() => void) | null;
  /** Stands beside the logo. Null if the bell has another place. */
  bell: ReactNode;
  /** Null if the button has another place. */
  onFind: (() => void) | null;
  onKeys: () => void;
}

export function Sidebar({ isCollapsed, onToggle, bell, onFind, onKeys }: SidebarProps) {
  const user = useSignedInUser();
  const { unreadMessages } = useSession();
  const place = useRouterState({ select: (state) => state.location.pathname });
  const markOf = useCurrentEntry();
  const entries = useRef<HTMLDivElement>(null);
  // In a low window, the current entry may be below the edge.
  // biome-ignore lint/correctness/useExhaustiveDependencies: Each place has its own entry.
  useEffect(() => {
    entries.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [place]);
  return (
    <Stack h="100%" gap={0} data-collapsed={isCollapsed || undefined} data-testid="sidebar">
      <Group
        mih={60}
        px={isCollapsed ? 14 : 'md'}
        pt={isCollapsed ? 'md' : 0}
        gap="sm"
        justify={isCollapsed ? 'center' : 'flex-start'}
        wrap={isCollapsed ? 'wrap' : 'nowrap'}
        visibleFrom="sm"
      >
        <Logo />
        {isCollapsed ? null : (
          <Text fw={650} flex={1}>
            Switchyard
          </Text>
        )}
        {bell}
      </Group>
      <Box
        ref={entries}
        flex={1}
        px={isCollapsed ? 8 : 10}
        pt="xs"
        className={classes.entries}
        data-testid="sidebar-entries"
      >
        {onFind ? <FindButton isCollapsed={isCollapsed} onClick={onFind} /> : null}
        <Stack gap={2} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {navigation[user.role].map(({ label, to, icon: Icon }) => (
            <li key={label}>
              <Named label={label} isCollapsed={isCollapsed}>
                <Link
                  {...markOf(to)}
                  to={to}
                  className={classes.entry}
                  activeProps={{ 'data-active': true, 'aria-current': 'page' }}
                  activeOptions={{ includeSearch: false }}
                >
                  <Icon size={18} aria-hidden />
                  <span className={isCollapsed ? classes.hidden : classes.label}>{label}</span>
                  {label === 'Messages' && unreadMessages > 0 ? (
                    <Badge
                      size="sm"
                      circle={!isCollapsed && unreadMessages < 10}
                      color="indigo"
                      variant="filled"
                      className={isCollapsed ? classes.dot : undefined}
                      aria-label={`${unreadMessages.toLocaleString('en-US')} unread`}
                    >
                      {unreadMessages > 99 ? '99+' : unreadMessages}
                    </Badge>
                  ) : null}
                </Link>
              </Named>
            </li>
          ))}
        </Stack>
        <MoreScreens isCollapsed={isCollapsed} onExpand={onToggle} />
      </Box>
      <Divider />
      <SidebarAccount isCollapsed={isCollapsed} onToggle={onToggle} onKeys={onKeys} />
    </Stack>
  );
}

function FindButton({ isCollapsed, onClick }: { isCollapsed: boolean; onClick: () => void }) {
  const isApple = useOs({ getValueInEffect: false }) === 'macos';
  return (
    <SidebarButton
      label="Find"
      icon={<Search size={18} aria-hidden />}
      isCollapsed={isCollapsed}
      onClick={onClick}
      keys={isApple ? '⌘ K' : 'Ctrl K'}
    />
  );
}

interface SidebarButtonProps {
  label: string;
  icon: ReactNode;
  isCollapsed: boolean;
  onClick: () => void;
  /** The keys that do the same. */
  keys: string;
}

function SidebarButton({ label, icon, isCollapsed, onClick, keys }: SidebarButtonProps) {
  return (
    <Named label={label} isCollapsed={isCollapsed}>
      <UnstyledButton className={classes.entry} onClick={onClick}>
        {icon}
        <span className={isCollapsed ? classes.hidden : classes.label}>{label}</span>
        {isCollapsed ? null : (
          <Kbd size="xs" aria-hidden>
            {keys}
          </Kbd>
        )}
      </UnstyledButton>
    </Named>
  );
}

/**
 * In a collapsed sidebar an entry is only its icon. A hint shows its name, which assistive technology still reads.
 */
function Named({
  label,
  isCollapsed,
  children,
}: {
  label: string;
  isCollapsed: boolean;
  children: ReactElement<Record<string, unknown>>;
}) {
  return (
    <Hint label={label} position="right" isDisabled={!isCollapsed}>
      {children}
    </Hint>
  );
}
