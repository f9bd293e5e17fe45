import { ActionIcon, Button, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Download, Ellipsis, type LucideIcon, RotateCw, UserCheck } from 'lucide-react';
import { paths } from '../../app/paths.ts';
import { useIsPhone } from '../../ui/FilterBar.tsx';

/** USER-37: what the sidebar does not lead to. */
const ways = [
  { label: 'Assign Participants', to: paths.assignParticipants },
  { label: 'Create Superadmin Account', to: paths.createSuperadmin },
] as const;

/** What stands beside the title. On a phone it is one menu with the acts of the list too, so that the list begins higher. */
export function UserPageActs(props: UserListActsProps) {
  if (useIsPhone()) return <ActMenu acts={actsOf(props)} />;
  return ways.map(({ label, to }) => (
    <Button key={to} component={Link} to={to} variant="default">
      {label}
    </Button>
  ));
}

export interface UserListActsProps {
  onRefresh: () => void;
  isRefreshing: boolean;
  onSync: () => void;
  isSyncing: boolean;
  onExport: () => void;
  isExporting: boolean;
}

interface ListAct {
  label: string;
  icon: LucideIcon;
  onClick: () => void;
  isRunning: boolean;
}

/** The acts upon the whole list, for which a phone has the menu beside the title. */
export function UserListActs(props: UserListActsProps) {
  if (useIsPhone()) return null;
  return actsOf(props).map(({ label, icon: Icon, onClick, isRunning }) => (
    <Button
      key={label}
      variant="default"
      leftSection={<Icon size={16} aria-hidden />}
      onClick={onClick}
      loading={isRunning}
    >
      {label}
    </Button>
  ));
}

function actsOf(props: UserListActsProps): ListAct[] {
  return [
    { label: 'Refresh', icon: RotateCw, onClick: props.onRefresh, isRunning: props.isRefreshing },
    { label: 'Sync', icon: UserCheck, onClick: props.onSync, isRunning: props.isSyncing },
    { label: 'Export CSV', icon: Download, onClick: props.onExport, isRunning: props.isExporting },
  ];
}

function ActMenu({ acts }: { acts: ListAct[] }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="default"
          size={44}
          aria-label="More actions"
          loading={acts.some(({ isRunning }) => isRunning)}
        >
          <Ellipsis size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {acts.map(({ label, icon: Icon, onClick }) => (
          <Menu.Item key={label} leftSection={<Icon size={16} aria-hidden />} onClick={onClick}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {ways.map(({ label, to }) => (
          <Menu.Item key={to} component={Link} to={to}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
