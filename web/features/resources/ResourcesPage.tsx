import { Card, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { listLibraryResources } from '#contract/resources.ts';
import { pagesFor } from '../../api/query-for.ts';
import { useSignedInUser } from '../../api/session.ts';
import { paths } from '../../app/paths.ts';
import { countedMatches } from '../../ui/counted.ts';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ShowMore } from '../../ui/ShowMore.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { ClearFilters, ResourceFilters } from './ResourceFilters.tsx';
import { ResourceGrid, ResourceList } from './ResourceLibrary.tsx';
import { useResourcePlace } from './resource-place.ts';

const views = [
  { value: 'grid', label: 'Grid' },
  { value: 'list', label: 'List' },
];

/** RES-35 to RES-43 */
export function ResourcesPage() {
  const { role } = useSignedInUser();
  const { place, change, isFiltered, clear } = useResourcePlace(paths.resources);
  const { search, type, module, order, view = 'grid' } = place;
  const list = useInfiniteQuery({
    ...pagesFor(listLibraryResources, { query: { search, type, module, order } }),
    placeholderData: keepPreviousData,
  });
  const [first] = list.data?.pages ?? [];
  const Resources = view === 'grid' ? ResourceGrid : ResourceList;

  return (
    <>
      <PageHeader
        title="Learning Resources"
        lead={
          role === 'coach'
            ? 'Recordings, slides and materials of all programs.'
            : 'Recordings, slides and materials of your program.'
        }
      />
      <Stack gap="md">
        <ResourceFilters place={place} modules={first?.modules ?? []} onChange={change} />
        <LoadedRows
          list={list}
          failure="Failed to load resources"
          loading={{ label: 'Loading resources', rows: 6 }}
          above={({ matching }) => (
            <Group justify="space-between" gap="sm">
              <Group gap="sm">
                <Text size="sm" c="dimmed" role="status">
                  {countedMatches(matching, 'resource')}
                </Text>
                {isFiltered ? <ClearFilters onClear={clear} /> : null}
              </Group>
              <SegmentedControl
                aria-label="View"
                data={views}
                value={view}
                onChange={(chosen) => change({ view: chosen === 'list' ? 'list' : undefined })}
              />
            </Group>
          )}
          empty={
            <Card>
              {isFiltered ? (
                <EmptyState title="No resources found">Try adjusting your search or filter settings</EmptyState>
              ) : (
                <EmptyState title="No resources yet">
                  Recordings, slides and materials are listed here as soon as there are any
                  {role === 'coach' ? '' : ' for your program'}.
                </EmptyState>
              )}
            </Card>
          }
        >
          {(resources) => <Resources resources={resources} isProgramShown={role === 'coach'} />}
        </LoadedRows>
        {list.hasNextPage ? (
          <ShowMore isRunning={list.isFetching} hasFailed={list.isError} onMore={() => void list.fetchNextPage()} />
        ) : null}
      </Stack>
    </>
  );
}
