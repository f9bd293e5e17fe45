import { Box, Group, Stack, Text } from '@mantine/core';
import { deleteResource, type Resource } from '#contract/resources.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { ResourceTypeBadge } from './ResourceTypeBadge.tsx';
import { showInLists } from './resource-cache.ts';
import { audienceInWords } from './resource-words.ts';

interface DeleteResourceDialogProps {
  /** Null while nothing is asked. */
  resource: Resource | null;
  onClose: () => void;
  onDeleted: (resource: Resource) => void;
}

/** RES-30 to RES-32 */
export function DeleteResourceDialog({ resource, onClose, onDeleted }: DeleteResourceDialogProps) {
  const removal = useAction(deleteResource, {
    success: () => ({ title: 'Resource Deleted', message: resource?.title ?? null }),
    failureTitle: 'Delete Failed',
    onSuccess: (_reply, { params }) => {
      showInLists(params.id, null);
      onClose();
      if (resource) onDeleted(resource);
    },
    onError: () => {
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen={resource !== null}
      title="Delete Resource"
      confirmLabel="Delete resource"
      isDestructive
      isRunning={removal.isRunning}
      onConfirm={() => resource && removal.run({ params: { id: resource.id } })}
      onClose={onClose}
    >
      {resource ? (
        <Stack gap="sm">
          <Text>Are you sure you want to delete this resource?</Text>
          <Box>
            <Text fw={600}>{resource.title}</Text>
            <Group gap="xs" mt={4}>
              <ResourceTypeBadge type={resource.fileType} />
              <Text size="sm">{audienceInWords(resource)}</Text>
            </Group>
          </Box>
          <Text>This action cannot be undone</Text>
        </Stack>
      ) : null}
    </ConfirmDialog>
  );
}
