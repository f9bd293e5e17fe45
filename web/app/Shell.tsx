import { ActionIcon, Box, Burger, Group, Text } from '@mantine/core';
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
import classes from './Shell.module.css';
import { Sidebar } from './Sidebar.tsx';

/**
 * Frames every signed-in screen with the side navigation, which is a drawer below 768 px, where participants also have a
 * bar at the bottom. `note` stands over the
 * screen. `children` replaces it.
 */
export function Shell({ note, children }: { note: ReactNode; children: ReactNode }) {
  const user = useSignedInUser();
  const [isDrawerOpen, drawer] = useDisclosure(false);
  const [isFinderOpen, finder] = useDisclosure(false);
  const [areKeysOpen, keys] = useDisclosure(false);
  const [isCollapsed, setCollapsed] = useLocalStorage({
    key: 'switchyard.sidebar-collapsed',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const hasBar = isPhone && user.role === 'participant';
  const place = useRouterState({ select: (state) => state.location.pathname });
  const isOffline = useIsOffline();
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
    <div
      className={classes.frame}
      data-collapsed={isCollapsed || undefined}
      data-offline={isOffline || undefined}
      data-bar={hasBar || undefined}
    >
      <FreshProofDialog />
      <Keys isOpen={areKeysOpen} onOpen={keys.open} onClose={keys.close} />
      <SignInAgain />
      <Finder screens={screensOf(user.role)} isOpen={isFinderOpen} onOpen={finder.open} onClose={finder.close} />
      <a href="#content" className="skip-to-content">
        Skip to content
      </a>
      <header className={classes.header}>
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
      </header>
      <nav aria-label="Main" className={classes.navbar} inert={isPhone && !isDrawerOpen}>
        <Sidebar
          isCollapsed={isCollapsed && !isPhone}
          onToggle={isPhone ? null : () => setCollapsed(!isCollapsed)}
          bell={isPhone ? null : <NoticesBell />}
          onFind={isPhone ? null : finder.open}
          onKeys={keys.open}
        />
      </nav>
      <main id="content" className={classes.main} tabIndex={-1} inert={isPhone && isDrawerOpen}>
        <Box maw={1200} mx="auto">
          {note}
          {children ?? <Outlet />}
        </Box>
      </main>
      <div className={classes.footer}>
        <div role="status" className="offline-note" data-offline={isOffline || undefined}>
          <OfflineNote />
        </div>
        {hasBar ? <BottomBar /> : null}
      </div>
    </div>
  );
}
