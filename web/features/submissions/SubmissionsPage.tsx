import { Stack, Switch, Tabs } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listSubmissions } from '#contract/submissions.ts';
import { pagesFor } from '../../api/query-for.ts';
import { useSignedInUser } from '../../api/session.ts';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { NextPageButton } from '../../ui/NextPageButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { NoSubmissions } from './NoSubmissions.tsx';
import { ReviewDialog } from './ReviewDialog.tsx';
import { neighboursOf } from './ReviewNeighbours.tsx';
import { SubmissionFilters } from './SubmissionFilters.tsx';
import { SubmissionTable } from './SubmissionTable.tsx';
import { noSubmissionFilters, useSubmissionPlace } from './submission-place.ts';

export function SubmissionsPage() {
  const { role, id: userId } = useSignedInUser();
  const { place, change, isReviewer } = useSubmissionPlace(role);
  const list = useInfiniteQuery({
    ...pagesFor(listSubmissions, {
      query: {
        view: place.tab,
        status: place.status,
        mine: place.isMine ? 'true' : 'false',
        search: place.search,
        age: place.age,
        participants: place.participant,
        order: place.order,
      },
    }),
    placeholderData: keepPreviousData,
  });
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const { fetchNextPage, hasNextPage, isFetching, isFetchNextPageError } = list;
  const isLastOpen = place.review !== undefined && rows.at(-1)?.id === place.review;
  // 'Next' goes on past the loaded rows.
  useEffect(() => {
    if (isLastOpen && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [isLastOpen, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);
  const pendingCount = list.data?.pages[0]?.pendingCount;

  return (
    <>
      <PageHeader
        title="Submissions"
        lead={isReviewer ? 'Work that participants handed in, and what you have to review.' : "Work you've handed in"}
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
        onChange={(tab) =>
          change({ tab: tab === 'pending' ? 'pending' : 'all', status: undefined, age: undefined, order: undefined })
        }
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
            <SubmissionFilters
              place={place}
              participantName={rows.find(({ participantId }) => participantId === place.participant)?.participantName}
              isReviewer={isReviewer}
              onChange={change}
            />
            <LoadedRows
              list={list}
              failure="Failed to load submissions"
              loading={{ label: 'Loading submissions', rows: 6 }}
              empty={
                <NoSubmissions
                  isReviewer={isReviewer}
                  isPending={place.tab === 'pending'}
                  isFiltered={[place.status, place.search, place.participant, place.age].some(
                    (filter) => filter !== undefined,
                  )}
                  isMine={place.isMine}
                  onClear={() => change(noSubmissionFilters)}
                  onShowAll={() => change({ mine: false })}
                />
              }
            >
              {(rows) => (
                <SubmissionTable
                  rows={rows}
                  isReviewer={isReviewer}
                  order={place.order}
                  onOrder={(order) => change({ order }, { replace: true })}
                  onOpen={(review) => change({ review })}
                />
              )}
            </LoadedRows>
            <NextPageButton list={list} />
          </Stack>
        </Tabs.Panel>
      </Tabs>
      {isReviewer ? (
        <ReviewDialog
          submissionId={place.review ?? null}
          neighbours={neighboursOf(rows, place.review)}
          userId={userId}
          waiting={pendingCount}
          onOpen={(review) => change({ review }, { replace: true })}
          onClose={() => change({ review: undefined })}
        />
      ) : null}
    </>
  );
}
