import { Box, Button, Card, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { listResources, type Resource } from '#contract/resources.ts';
import { pagesFor } from '../../api/query-for.ts';
import { paths } from '../../app/paths.ts';
import { countedMatches } from '../../ui/counted.ts';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ShowMore } from '../../ui/ShowMore.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useAskedDialog } from '../../ui/use-asked-dialog.ts';
import { useUnsavedChanges } from '../../ui/use-unsaved-changes.tsx';
import { SavedFilters } from '../saved-filters/SavedFilters.tsx';
import { AddResourceDialog } from './AddResourceDialog.tsx';
import { DeleteResourceDialog } from './DeleteResourceDialog.tsx';
import { ClearFilters, ResourceFilters } from './ResourceFilters.tsx';
import { ResourceTable } from './ResourceTable.tsx';
import { useResourcePlace } from './resource-place.ts';
import { usePrograms } from './use-programs.ts';
import { useResourceEdit } from './use-resource-edit.ts';

/** RES-01 */
export function ResourcesManagementPage() {
  const { place, change, isFiltered, clear } = useResourcePlace(paths.resourcesManagement);
  const { search, type, program, programme, module, order } = place;
  const [isAdding, setAdding] = useState(false);
  const [doomed, setDoomed] = useState<Resource | null>(null);
  const count = useRef<HTMLParagraphElement>(null);
  const edit = useResourceEdit();
  const programs = usePrograms();
  const { afterAsking, question } = useUnsavedChanges(edit.isDirty);
  const list = useInfiniteQuery({
    ...pagesFor(listResources, { query: { search, type, program, programme, module, order } }),
    placeholderData: keepPreviousData,
  });
  const failedAt = list.isError ? list.errorUpdatedAt : null;
  useEffect(() => {
    if (failedAt) showToast({ type: 'error', title: 'Error', message: 'Failed to load resources' });
  }, [failedAt]);
  const [first] = list.data?.pages ?? [];
  const add = () => setAdding(true);
  useAskedDialog('add', add);

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
          kinds={first?.programs ?? []}
          programs={programs}
          onChange={change}
        />
        <LoadedRows
          list={list}
          failure="Failed to load resources"
          loading={{ label: 'Loading resources', rows: 8 }}
          isKept={edit.base !== null}
          above={({ matching }) => (
            <Group gap="sm">
              <Text ref={count} size="sm" c="dimmed" role="status" tabIndex={-1}>
                {countedMatches(matching, 'resources', 'resources')} found
              </Text>
              {isFiltered ? <ClearFilters onClear={clear} /> : null}
              <Box ml="auto">
                <SavedFilters list="resources" of={['search', 'type', 'program', 'programme', 'module', 'order']} />
              </Box>
            </Group>
          )}
          empty={
            <Card>
              {isFiltered ? (
                <EmptyState title="No resources found">Try adjusting your search or filter settings</EmptyState>
              ) : (
                <EmptyState title="No resources found" action={<Button onClick={add}>Add First Resource</Button>}>
                  Get started by adding your first resource
                </EmptyState>
              )}
            </Card>
          }
        >
          {(rows, { knownModules }) => (
            <ResourceTable
              rows={rows}
              edit={edit}
              knownModules={knownModules}
              programs={programs}
              onEdit={(resource) => afterAsking(() => edit.begin(resource))}
              onLeave={() => afterAsking(edit.cancel)}
              onDelete={setDoomed}
              order={order ?? 'newest'}
              onOrder={(asked) => change({ order: asked === 'newest' ? undefined : asked })}
            />
          )}
        </LoadedRows>
        {list.hasNextPage ? (
          <ShowMore isRunning={list.isFetching} hasFailed={list.isError} onMore={() => void list.fetchNextPage()} />
        ) : null}
      </Stack>
      {isAdding ? (
        <AddResourceDialog
          knownModules={first?.knownModules ?? []}
          programs={programs}
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
