import { Box, Button, Card, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { listResources, type Resource } from '#contract/resources.ts';
import { messageOf } from '../../api/api-error.ts';
import { pagesFor } from '../../api/query-for.ts';
import { paths } from '../../app/paths.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ShowMore } from '../../ui/ShowMore.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useUnsavedChanges } from '../../ui/use-unsaved-changes.tsx';
import { AddResourceDialog } from './AddResourceDialog.tsx';
import { DeleteResourceDialog } from './DeleteResourceDialog.tsx';
import { ClearFilters, ResourceFilters } from './ResourceFilters.tsx';
import { ResourceTable } from './ResourceTable.tsx';
import { useResourcePlace } from './resource-place.ts';
import { useResourceEdit } from './use-resource-edit.ts';

/** RES-01 */
export function ResourcesManagementPage() {
  const { place, change, isFiltered, clear } = useResourcePlace(paths.resourcesManagement);
  const { search, type, program, module, order } = place;
  const [isAdding, setAdding] = useState(false);
  const [doomed, setDoomed] = useState<Resource | null>(null);
  const count = useRef<HTMLParagraphElement>(null);
  const edit = useResourceEdit();
  const { afterAsking, question } = useUnsavedChanges(edit.isDirty);
  const list = useInfiniteQuery({
    ...pagesFor(listResources, { query: { search, type, program, module, order } }),
    placeholderData: keepPreviousData,
  });
  const failedAt = list.isError ? list.errorUpdatedAt : null;
  useEffect(() => {
    if (failedAt) showToast({ type: 'error', title: 'Error', message: 'Failed to load resources' });
  }, [failedAt]);
  const [first] = list.data?.pages ?? [];
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const isEmpty = first !== undefined && rows.length === 0;
  const add = () => setAdding(true);

  return (
    <>
      <PageHeader title="Resources Management" lead="The links that participants and coaches find in their library.">
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={add}>
          Add Resource
        </Button>
      </PageHeader>
      <Stack gap="md">
        <ResourceFilters
          place={place}
          modules={first?.modules ?? []}
          programs={first?.programs ?? []}
          onChange={change}
        />
        {list.isError ? (
          <ErrorState
            title="Failed to load resources"
            message={`${messageOf(list.error)}${first ? ' What you see below is from before.' : ''}`}
            onRetry={() => void list.refetch()}
            isRetrying={list.isFetching}
          />
        ) : null}
        {list.isPending ? <LoadingState label="Loading resources" rows={8} /> : null}
        {first ? (
          <Group gap="sm" mih={28}>
            <Text ref={count} size="sm" c="dimmed" role="status" tabIndex={-1}>
              {first.matching} resources found
            </Text>
            {isFiltered ? <ClearFilters onClear={clear} /> : null}
          </Group>
        ) : null}
        {isEmpty && !edit.base ? (
          <Card>
            {isFiltered ? (
              <EmptyState title="No resources found">Try adjusting your search or filter settings</EmptyState>
            ) : (
              <EmptyState title="No resources found" action={<Button onClick={add}>Add First Resource</Button>}>
                Get started by adding your first resource
              </EmptyState>
            )}
          </Card>
        ) : null}
        {rows.length > 0 || edit.base ? (
          <Box aria-busy={list.isPlaceholderData} style={{ opacity: list.isPlaceholderData ? 0.6 : 1 }}>
            <ResourceTable
              rows={rows}
              edit={edit}
              knownModules={first?.knownModules ?? []}
              onEdit={(resource) => afterAsking(() => edit.begin(resource))}
              onLeave={() => afterAsking(edit.cancel)}
              onDelete={setDoomed}
            />
          </Box>
        ) : null}
        {list.hasNextPage ? (
          <ShowMore isRunning={list.isFetching} hasFailed={list.isError} onMore={() => void list.fetchNextPage()} />
        ) : null}
      </Stack>
      {isAdding ? (
        <AddResourceDialog
          knownModules={first?.knownModules ?? []}
          isFiltered={isFiltered}
          onClose={() => setAdding(false)}
        />
      ) : null}
      <DeleteResourceDialog
        resource={doomed}
        onClose={() => setDoomed(null)}
        onDeleted={() => requestAnimationFrame(() => count.current?.focus())}
      />
      {question}
    </>
  );
}
