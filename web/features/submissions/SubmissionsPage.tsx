import { Box, Button, Group, Select, Stack, Switch, Tabs } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { listSubmissions, type SubmissionStatus } from '#contract/submissions.ts';
import { messageOf } from '../../api/api-error.ts';
import { pagesFor } from '../../api/query-for.ts';
import { useSignedInUser } from '../../api/session.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ErrorState, LoadingState } from '../../ui/states.tsx';
import { NoSubmissions } from './NoSubmissions.tsx';
import { ReviewDialog } from './ReviewDialog.tsx';
import { SubmissionTable } from './SubmissionTable.tsx';
import { statusNames } from './status-names.ts';
import { useSubmissionPlace } from './submission-place.ts';

/** SUBM-07 */
const offeredStatuses: SubmissionStatus[] = [
  'submitted',
  'reviewed',
  'accepted',
  'approved',
  'needs_revision',
  'rejected',
];

export function SubmissionsPage() {
  const { role, id: userId } = useSignedInUser();
  const { place, change, isReviewer } = useSubmissionPlace(role);
  const list = useInfiniteQuery({
    ...pagesFor(listSubmissions, {
      query: { view: place.tab, status: place.status, mine: place.isMine ? 'true' : 'false' },
    }),
    placeholderData: keepPreviousData,
  });
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const pendingCount = list.data?.pages[0]?.pendingCount;

  return (
    <>
      <PageHeader
        title="Submissions"
        lead={isReviewer ? 'What participants handed in, and what waits for your review.' : 'What you handed in.'}
      >
        {role === 'coach' ? (
          <Switch
            label="My participants"
            checked={place.isMine}
            onChange={({ currentTarget }) => change({ mine: currentTarget.checked })}
          />
        ) : null}
      </PageHeader>
      <Tabs
        value={place.tab}
        onChange={(tab) => change({ tab: tab === 'pending' ? 'pending' : 'all', status: undefined })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="all">All Submissions</Tabs.Tab>
          {isReviewer ? (
            <Tabs.Tab value="pending">
              {pendingCount === undefined ? 'Pending Review' : `Pending Review (${pendingCount})`}
            </Tabs.Tab>
          ) : null}
        </Tabs.List>
        <Tabs.Panel value={place.tab}>
          <Stack gap="md">
            {place.tab === 'all' ? (
              <Group>
                <Select
                  label="Status"
                  data={statusOptions(place.status)}
                  value={place.status ?? 'all'}
                  onChange={(status) =>
                    change({ status: status === 'all' ? undefined : (status as SubmissionStatus) }, { replace: true })
                  }
                  allowDeselect={false}
                />
              </Group>
            ) : null}
            {list.isError ? (
              <ErrorState
                title="Failed to load submissions"
                message={messageOf(list.error)}
                onRetry={() => void list.refetch()}
                isRetrying={list.isFetching}
              />
            ) : null}
            {list.isPending ? <LoadingState label="Loading submissions" rows={6} /> : null}
            {list.isSuccess && rows.length === 0 ? (
              <NoSubmissions
                isReviewer={isReviewer}
                isPending={place.tab === 'pending'}
                isFiltered={place.status !== undefined}
                isMine={place.isMine}
                onClear={() => change({ status: undefined })}
                onShowAll={() => change({ mine: false })}
              />
            ) : null}
            {rows.length > 0 ? (
              <Box aria-busy={list.isPlaceholderData} style={{ opacity: list.isPlaceholderData ? 0.6 : 1 }}>
                <SubmissionTable rows={rows} isReviewer={isReviewer} onOpen={(review) => change({ review })} />
              </Box>
            ) : null}
            {list.hasNextPage ? (
              <Button
                variant="default"
                w="fit-content"
                onClick={() => void list.fetchNextPage()}
                loading={list.isFetchingNextPage}
              >
                Show more
              </Button>
            ) : null}
          </Stack>
        </Tabs.Panel>
      </Tabs>
      {isReviewer ? (
        <ReviewDialog
          submissionId={place.review ?? null}
          neighbours={rows.map(({ id }) => id)}
          userId={userId}
          onOpen={(review) => change({ review }, { replace: true })}
          onClose={() => change({ review: undefined })}
        />
      ) : null}
    </>
  );
}

/** The offered ones, and the one that the address names. */
function statusOptions(chosen: SubmissionStatus | undefined) {
  const statuses = chosen && !offeredStatuses.includes(chosen) ? [...offeredStatuses, chosen] : offeredStatuses;
  return [{ value: 'all', label: 'All' }, ...statuses.map((value) => ({ value, label: statusNames[value] }))];
}
