import { ActionIcon, AppShell, Box, Burger, Group, Text } from '@mantine/core';
import { useDisclosure, useHotkeys, useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useIsOffline } from '../api/connection.ts';
import { useLiveNews } from '../api/live.ts';
import { useSignedInUser } from '../api/session.ts';
import { FreshProofDialog } from '../features/accounts/second-factor/FreshProofDialog.tsx';
import { SignInAgain } from '../features/accounts/sessions/SignInAgain.tsx';
import { Finder } from '../features/finding/Finder.tsx';
import { useOutbox } from '../features/messages/use-outbox.ts';
import { NoticesBell } from '../features/notices/NoticesBell.tsx';
import { Logo } from '../ui/Logo.tsx';
import { focusExpectedHeading } from '../ui/page-title.ts';
import { BottomBar } from './BottomBar.tsx';
import { Keys } from './Keys.tsx';
import { screensOf } from './more-screens.ts';
import { OfflineNote } from './OfflineNote.tsx';
import { paths } from './paths.ts';
import { Sidebar } from './Sidebar.tsx';

const expandedWidth = 256;
const collapsedWidth = 64;
const offlineHeight = 64;
const barHeight = 60;

/**
 * Frames every signed-in screen with the side navigation, which is a drawer below 768 px, where participants also have a
 * bar at the bottom. `note` stands over the
 * screen. `children` replaces it.
 */
export function Shell({ note, children }: { note: ReactNode; children: ReactNode }) {
  const user = useSignedInUser();
  const [isDrawerOpen, drawer] = useDisclosure(false);
  const [isFinderOpen, finder] = useDisclosure(false);
  const [isCollapsed, setCollapsed] = useLocalStorage({
    key: 'switchyard.sidebar-collapsed',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const hasBar = isPhone && user.role === 'participant';
  const place = useRouterState({ select: (state) => state.location.pathname });
  const isOffline = useIsOffline();
  const hasFooter = isOffline || hasBar;
  useLiveNews(user.id);
  useOutbox(user.id);
  useEffect(() => {
    if (place) drawer.close();
  }, [place, drawer.close]);

  // While the drawer is open, the screen behind it takes no focus.
  useEffect(() => {
    if (!isDrawerOpen) focusExpectedHeading();
  }, [isDrawerOpen]);
  const burger = useRef<HTMLButtonElement>(null);
  useHotkeys([
    [
      'Escape',
      () => {
        if (isDrawerOpen) burger.current?.focus();
        drawer.close();
      },
    ],
  ]);

  return (
    <AppShell
      header={{ height: 56, collapsed: !isPhone }}
      navbar={{
        width: isCollapsed ? collapsedWidth : expandedWidth,
        breakpoint: 'sm',
        collapsed: { mobile: !isDrawerOpen },
      }}
      footer={{
        height: { base: (isOffline ? offlineHeight : 0) + (hasBar ? barHeight : 0), sm: 48 },
        collapsed: !hasFooter,
      }}
      padding={{ base: 'md', sm: 'xl' }}
      transitionDuration={0}
    >
      <FreshProofDialog />
      <Keys />
      <SignInAgain />
      <Finder screens={screensOf(user.role)} isOpen={isFinderOpen} onOpen={finder.open} onClose={finder.close} />
      <a href="#content" className="skip-to-content">
        Skip to content
      </a>
      <AppShell.Header hiddenFrom="sm">
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            ref={burger}
            opened={isDrawerOpen}
            onClick={drawer.toggle}
            size="sm"
            aria-label={isDrawerOpen ? 'Close navigation' : 'Open navigation'}
            aria-expanded={isDrawerOpen}
          />
          <Link
            to={paths.dashboard}
            style={{ display: 'inline-flex', alignItems: 'center', gap: 12, color: 'inherit', textDecoration: 'none' }}
            aria-label="Switchyard, to the dashboard"
          >
            <Logo size={26} />
            <Text fw={650} span>
              Switchyard
            </Text>
          </Link>
          <Group ml="auto" gap={4} wrap="nowrap">
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Find" onClick={finder.open}>
              <Search size={20} aria-hidden />
            </ActionIcon>
            {isPhone ? <NoticesBell /> : null}
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        aria-label="Main"
        component="nav"
        inert={isPhone && !isDrawerOpen}
        style={{ background: 'var(--mantine-color-body)' }}
      >
        <Sidebar
          isCollapsed={isCollapsed && !isPhone}
          onToggle={isPhone ? null : () => setCollapsed(!isCollapsed)}
          bell={isPhone ? null : <NoticesBell />}
          onFind={isPhone ? null : finder.open}
        />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} inert={isPhone && isDrawerOpen} style={{ outline: 'none' }}>
        <Box maw={1200} mx="auto">
          {note}
          {children ?? <Outlet />}
        </Box>
      </AppShell.Main>
      {/* Off the screen it has no color, because a bouncing scroll would show one. */}
      <AppShell.Footer component="div" withBorder={hasFooter} bg={hasFooter ? undefined : 'none'}>
        <div role="status" className="offline-note" data-offline={isOffline || undefined}>
          <OfflineNote />
        </div>
        {hasBar ? <BottomBar /> : null}
      </AppShell.Footer>
    </AppShell>
  );
}
