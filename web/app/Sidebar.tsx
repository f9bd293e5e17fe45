import {
  Avatar,
  Badge,
  Box,
  Divider,
  Group,
  Kbd,
  Stack,
  Text,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useOs } from '@mantine/hooks';
import { Link, useRouterState } from '@tanstack/react-router';
import {
  Bell,
  Keyboard,
  KeyRound,
  LogOut,
  Moon,
  PanelLeftClose,
  PanelLeftOpen,
  Search,
  ShieldCheck,
  Sun,
} from 'lucide-react';
import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { useSession, useSignedInUser } from '../api/session.ts';
import { useSignOut } from '../features/accounts/sessions/use-sign-out.tsx';
import { Hint } from '../ui/Hint.tsx';
import { Logo } from '../ui/Logo.tsx';
import { MoreScreens } from './MoreScreens.tsx';
import { navigation } from './navigation.ts';
import { paths, type ScreenPath } from './paths.ts';
import classes from './Sidebar.module.css';

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
      <Box ref={entries} flex={1} px={isCollapsed ? 8 : 10} pt="xs" style={{ overflowY: 'auto' }}>
        {onFind ? <FindButton isCollapsed={isCollapsed} onClick={onFind} /> : null}
        <Stack gap={2} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {navigation[user.role].map(({ label, to, icon: Icon }) => (
            <li key={label}>
              <Named label={label} isCollapsed={isCollapsed}>
                <Link
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
      <Stack gap={2} p={isCollapsed ? 8 : 10}>
        {isCollapsed ? <OwnInitials /> : <OwnName />}
        <SidebarLink
          to={paths.notificationPreferences}
          label="Notifications"
          icon={<Bell size={18} aria-hidden />}
          isCollapsed={isCollapsed}
        />
        <SidebarLink
          to={paths.changePassword}
          label="Change Password"
          icon={<KeyRound size={18} aria-hidden />}
          isCollapsed={isCollapsed}
        />
        <SidebarLink
          to={paths.accountSecurity}
          label="Sign-in and Security"
          icon={<ShieldCheck size={18} aria-hidden />}
          isCollapsed={isCollapsed}
        />
        <SchemeSwitch isCollapsed={isCollapsed} />
        <SidebarButton
          label="Keys"
          icon={<Keyboard size={18} aria-hidden />}
          isCollapsed={isCollapsed}
          onClick={onKeys}
        />
        <SignOutButton isCollapsed={isCollapsed} />
        {onToggle ? (
          <SidebarButton
            label={isCollapsed ? 'Expand sidebar' : 'Collapse sidebar'}
            icon={isCollapsed ? <PanelLeftOpen size={18} aria-hidden /> : <PanelLeftClose size={18} aria-hidden />}
            isCollapsed={isCollapsed}
            onClick={onToggle}
          />
        ) : null}
      </Stack>
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

function OwnName() {
  const user = useSignedInUser();
  return (
    <Box px={10} py={6}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text fw={600} size="sm" truncate title={`${user.firstName} ${user.lastName}`}>
          {user.firstName} {user.lastName}
        </Text>
        <Badge size="sm" color="gray" data-testid="role-badge" flex="0 0 auto">
          {user.role}
        </Badge>
      </Group>
      <Text size="xs" c="dimmed" truncate title={user.email}>
        {user.email}
      </Text>
    </Box>
  );
}

/** A collapsed sidebar has room for initials only. */
function OwnInitials() {
  const { firstName, lastName, email, role } = useSignedInUser();
  const name = `${firstName} ${lastName}`;
  return (
    <Hint label={`${name}, ${email}, ${role}`} position="right">
      <Box py={4} style={{ display: 'flex', justifyContent: 'center' }}>
        <Avatar name={name} color="gray" radius="xl" size={36} alt="" aria-hidden />
        <span className={classes.hidden}>{`${name}, ${email}, ${role}`}</span>
      </Box>
    </Hint>
  );
}

function SignOutButton({ isCollapsed }: { isCollapsed: boolean }) {
  const { begin, question } = useSignOut();
  return (
    <>
      <SidebarButton
        label="Sign Out"
        icon={<LogOut size={18} aria-hidden />}
        isCollapsed={isCollapsed}
        onClick={begin}
      />
      {question}
    </>
  );
}

function SchemeSwitch({ isCollapsed }: { isCollapsed: boolean }) {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const label = isDark ? 'Light appearance' : 'Dark appearance';
  const icon = isDark ? <Sun size={18} aria-hidden /> : <Moon size={18} aria-hidden />;
  return (
    <SidebarButton
      label={label}
      icon={icon}
      isCollapsed={isCollapsed}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    />
  );
}

interface EntryProps {
  label: string;
  icon: ReactNode;
  isCollapsed: boolean;
}

interface SidebarButtonProps extends EntryProps {
  onClick: () => void;
  /** The keys that do the same. */
  keys?: string;
}

function SidebarButton({ label, icon, isCollapsed, onClick, keys }: SidebarButtonProps) {
  return (
    <Named label={label} isCollapsed={isCollapsed}>
      <UnstyledButton className={classes.entry} onClick={onClick}>
        {icon}
        <span className={isCollapsed ? classes.hidden : classes.label}>{label}</span>
        {keys && !isCollapsed ? (
          <Kbd size="xs" aria-hidden>
            {keys}
          </Kbd>
        ) : null}
      </UnstyledButton>
    </Named>
  );
}

function SidebarLink({ to, label, icon, isCollapsed }: EntryProps & { to: ScreenPath }) {
  return (
    <Named label={label} isCollapsed={isCollapsed}>
      <Link to={to} className={classes.entry} activeProps={{ 'data-active': true, 'aria-current': 'page' }}>
        {icon}
        <span className={isCollapsed ? classes.hidden : classes.label}>{label}</span>
      </Link>
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
