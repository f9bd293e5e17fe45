import { Button, Card, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { exportUsers, listUsers, type User } from '#contract/user-management.ts';
import { messageOf } from '../../api/api-error.ts';
import { downloadAnswer } from '../../api/download.ts';
import { queryFor } from '../../api/query-for.ts';
import { useSignedInUser } from '../../api/session.ts';
import { countedMatches } from '../../ui/counted.ts';
import { useIsPhone } from '../../ui/FilterBar.tsx';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { showToast } from '../../ui/toast.tsx';
import { selectionOf, useChosenIds } from '../../ui/use-chosen-ids.ts';
import { useUnsavedChanges } from '../../ui/use-unsaved-changes.tsx';
import { ChooseAllUsers, ChosenUsers } from './ChosenUsers.tsx';
import { RoleRequestsPanel } from './RoleRequestsPanel.tsx';
import { type AskedAct, UserActDialogs } from './UserActDialogs.tsx';
import { UserFilters } from './UserFilters.tsx';
import { UserPageActs } from './UserListActs.tsx';
import { UserTable } from './UserTable.tsx';
import { useProfileSync } from './use-profile-sync.ts';
import { useUserEdit } from './use-user-edit.ts';
import { useUserPlace } from './user-place.ts';
import { nameOf } from './user-words.ts';

/** USER-01 */
export function UserManagementPage() {
  const isPhone = useIsPhone();
  const { id: ownId } = useSignedInUser();
  const { place, isFiltered, change, turnTo, clear } = useUserPlace();
  const { search, role, order, at } = place;
  const [asked, setAsked] = useState<AskedAct | null>(null);
  const [isRefreshing, setRefreshing] = useState(false);
  const [isExporting, setExporting] = useState(false);
  const count = useRef<HTMLParagraphElement>(null);
  const chosen = useChosenIds();
  const edit = useUserEdit();
  const { afterAsking, question } = useUnsavedChanges(edit.isDirty);
  const list = useQuery({
    ...queryFor(listUsers, { query: { search, role, order, cursor: at } }),
    placeholderData: keepPreviousData,
  });
  const { sync, syncNow, isSyncing } = useProfileSync(list.isSuccess);
  const failure = `Failed to load users: ${messageOf(list.error)}`;

  const reload = async () => {
    setRefreshing(true);
    const { isSuccess } = await list.refetch();
    sync();
    setRefreshing(false);
    if (isSuccess) showToast({ type: 'success', title: 'Users Refreshed' });
  };
  const save = async () => {
    setExporting(true);
    await downloadAnswer(exportUsers, { query: { search, role, order } }, 'users.csv');
    setExporting(false);
  };
  const turn = (cursor: string) => {
    turnTo(cursor);
    count.current?.focus();
  };
  const page = list.data;
  const acts = {
    onRefresh: () => void reload(),
    isRefreshing,
    onSync: () => void syncNow(),
    isSyncing,
    onExport: () => void save(),
    isExporting,
  };

  return (
    <>
      <PageHeader title="User Management" lead={isPhone ? null : 'Everybody with an account, and what they may do.'}>
        <UserPageActs {...acts} />
      </PageHeader>
      <Stack gap={isPhone ? 'sm' : 'lg'}>
        <RoleRequestsPanel />
        <Stack gap={isPhone ? 'xs' : 'md'}>
          <UserFilters place={place} onChange={change} {...acts} />
          <LoadedRows
            list={list}
            failure={{ title: 'Load Error', words: failure }}
            loading={{ label: 'Loading users', rows: 8 }}
            isKept={edit.base !== null}
            above={({ matching }) => (
              <Group gap="sm" mih={28}>
                <Text ref={count} size="sm" c="dimmed" role="status" tabIndex={-1}>
                  {countedMatches(matching, 'user')}
                  {isFiltered ? ' found' : ''}
                </Text>
                {isFiltered ? (
                  <Button variant="subtle" size="compact-sm" leftSection={<X size={15} aria-hidden />} onClick={clear}>
                    Clear filters
                  </Button>
                ) : null}
                <ChooseAllUsers place={place} matching={matching} isFiltered={isFiltered} chosen={chosen} />
              </Group>
            )}
            empty={
              <Card>
                <EmptyState
                  title="No users found"
                  action={
                    <Button variant="default" onClick={clear}>
                      Show everybody
                    </Button>
                  }
                >
                  Nobody matches the search and the role.
                </EmptyState>
              </Card>
            }
          >
            {(rows) => (
              <UserTable
                rows={rows}
                ownId={ownId}
                order={order}
                onOrder={(asked) => change({ order: asked })}
                edit={edit}
                onEdit={(user) => afterAsking(() => edit.begin(user))}
                onLeave={() => afterAsking(edit.cancel)}
                onAct={(act, user) => setAsked({ act, user })}
                selection={selectionOf<User>(chosen, { nameOf })}
              />
            )}
          </LoadedRows>
          {page && (page.previousCursor || page.nextCursor) ? (
            <Group component="nav" gap="sm" aria-label="Pages of users">
              <PageButton cursor={page.previousCursor} onTurn={turn} label="Previous page" icon={ChevronLeft} />
              <PageButton cursor={page.nextCursor} onTurn={turn} label="Next page" icon={ChevronRight} />
            </Group>
          ) : null}
          <ChosenUsers chosen={chosen} shown={page?.rows.map(({ id }) => id) ?? []} />
          <UserActDialogs
            asked={asked}
            onClose={() => setAsked(null)}
            onDeleted={() => requestAnimationFrame(() => count.current?.focus())}
          />
          {question}
        </Stack>
      </Stack>
    </>
  );
}

interface PageButtonProps {
  cursor: string | null;
  onTurn: (cursor: string) => void;
  label: string;
  icon: typeof ChevronLeft;
}

function PageButton({ cursor, onTurn, label, icon: Icon }: PageButtonProps) {
  return (
    <Button
      variant="default"
      leftSection={<Icon size={16} aria-hidden />}
      disabled={cursor === null}
      onClick={() => cursor !== null && onTurn(cursor)}
    >
      {label}
    </Button>
  );
}
