import {
  Avatar,
  Badge,
  Box,
  Group,
  Text,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { Link } from '@tanstack/react-router';
import {
  BellRing,
  Keyboard,
  KeyRound,
  LogOut,
  type LucideIcon,
  Moon,
  PanelLeftClose,
  PanelLeftOpen,
  ShieldCheck,
  Sun,
} from 'lucide-react';
import type { ReactElement } from 'react';
import { useSignedInUser } from '../api/session.ts';
import { useSignOut } from '../features/accounts/sessions/use-sign-out.tsx';
import { Hint } from '../ui/Hint.tsx';
import { paths, type ScreenPath } from './paths.ts';
import classes from './Sidebar.module.css';

interface SidebarAccountProps {
  isCollapsed: boolean;
  /** Null if the sidebar is a drawer, which does not collapse. */
  onToggle: (() => void) | null;
  onKeys: () => void;
}

/** Who is signed in, and what they may set. One row of icons, so that the navigation above has the height. */
export function SidebarAccount({ isCollapsed, onToggle, onKeys }: SidebarAccountProps) {
  const isDrawer = onToggle === null;
  return (
    <Box px={isCollapsed ? 6 : 10} py={isCollapsed ? 8 : 10}>
      {isCollapsed ? <OwnInitials /> : <OwnName />}
      <div className={isDrawer ? classes.accountWords : classes.accountIcons}>
        <AccountLink to={paths.notificationPreferences} label="Notifications" icon={BellRing} isDrawer={isDrawer} />
        <AccountLink to={paths.changePassword} label="Change Password" icon={KeyRound} isDrawer={isDrawer} />
        <AccountLink to={paths.accountSecurity} label="Sign-in and Security" icon={ShieldCheck} isDrawer={isDrawer} />
        <SchemeSwitch isDrawer={isDrawer} />
        <AccountButton label="Keys" icon={Keyboard} isDrawer={isDrawer} onClick={onKeys} />
        <SignOutButton isDrawer={isDrawer} />
        {onToggle ? (
          <AccountButton
            label={isCollapsed ? 'Expand sidebar' : 'Collapse sidebar'}
            icon={isCollapsed ? PanelLeftOpen : PanelLeftClose}
            isDrawer={isDrawer}
            onClick={onToggle}
          />
        ) : null}
      </div>
    </Box>
  );
}

function OwnName() {
  const user = useSignedInUser();
  return (
    <Box px={6} pb={6}>
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
      <Box pb={4} style={{ display: 'flex', justifyContent: 'center' }}>
        <Avatar name={name} color="gray" radius="xl" size={36} alt="" aria-hidden />
        <span className={classes.hidden}>{`${name}, ${email}, ${role}`}</span>
      </Box>
    </Hint>
  );
}

function SignOutButton({ isDrawer }: { isDrawer: boolean }) {
  const { begin, question } = useSignOut();
  return (
    <>
      <AccountButton label="Sign Out" icon={LogOut} isDrawer={isDrawer} onClick={begin} />
      {question}
    </>
  );
}

function SchemeSwitch({ isDrawer }: { isDrawer: boolean }) {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  return (
    <AccountButton
      label={isDark ? 'Light appearance' : 'Dark appearance'}
      icon={isDark ? Sun : Moon}
      isDrawer={isDrawer}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    />
  );
}

interface EntryProps {
  label: string;
  icon: LucideIcon;
  isDrawer: boolean;
}

function AccountButton({ label, icon, isDrawer, onClick }: EntryProps & { onClick: () => void }) {
  return (
    <Named label={label} isDrawer={isDrawer}>
      <UnstyledButton className={classes.account} onClick={onClick}>
        <Face label={label} icon={icon} isDrawer={isDrawer} />
      </UnstyledButton>
    </Named>
  );
}

function AccountLink({ to, label, icon, isDrawer }: EntryProps & { to: ScreenPath }) {
  return (
    <Named label={label} isDrawer={isDrawer}>
      <Link to={to} className={classes.account} activeProps={{ 'data-active': true, 'aria-current': 'page' }}>
        <Face label={label} icon={icon} isDrawer={isDrawer} />
      </Link>
    </Named>
  );
}

function Face({ label, icon: Icon, isDrawer }: EntryProps) {
  return (
    <>
      <Icon size={18} aria-hidden />
      <span className={isDrawer ? undefined : classes.hidden}>{label}</span>
    </>
  );
}

interface NamedProps {
  label: string;
  isDrawer: boolean;
  children: ReactElement<Record<string, unknown>>;
}

/** Where an entry is only its icon, a hint shows its name, which assistive technology reads anyway. */
function Named({ label, isDrawer, children }: NamedProps) {
  return (
    <Hint label={label} isDisabled={isDrawer}>
      {children}
    </Hint>
  );
}
