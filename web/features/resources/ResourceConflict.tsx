import { Alert, Box, Button, Group, Stack, Text } from '@mantine/core';
import type { Resource } from '#contract/resources.ts';
import { programNames, typeNames } from './resource-words.ts';
import { draftOf, type ResourceDraft, resourceFields } from './use-resource-form.ts';

interface ResourceConflictProps {
  own: ResourceDraft;
  theirs: Resource;
  onKeepOwn: () => void;
  onTakeTheirs: () => void;
}

const fieldNames: Record<keyof ResourceDraft, string> = {
  title: 'Title',
  description: 'Description',
  fileUrl: 'File URL',
  fileType: 'File Type',
  courseModule: 'Course Module',
  program: 'Program',
};

/** Somebody else has saved meanwhile: where both differ, both are shown, and the person decides. */
export function ResourceConflict({ own, theirs, onKeepOwn, onTakeTheirs }: ResourceConflictProps) {
  const other = draftOf(theirs);
  const differing = resourceFields.filter((field) => own[field] !== other[field]);
  return (
    <Alert color="yellow" title="Somebody else has changed this resource" role="alert">
      <Stack gap="sm">
        {differing.length === 0 ? <Text size="sm">Both of you wrote the same.</Text> : null}
        {differing.map((field) => (
          <Box key={field} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            <Text size="sm" fw={600}>
              {fieldNames[field]}
            </Text>
            <Text size="sm">Saved now: {inWords(other, field)}</Text>
            <Text size="sm">Yours: {inWords(own, field)}</Text>
          </Box>
        ))}
        <Group gap="sm">
          <Button variant="default" size="sm" onClick={onKeepOwn}>
            Go on with mine
          </Button>
          <Button variant="default" size="sm" onClick={onTakeTheirs}>
            Take what is saved
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function inWords(draft: ResourceDraft, field: keyof ResourceDraft): string {
  if (field === 'fileType') return typeNames[draft.fileType];
  if (field === 'program') return programNames[draft.program];
  return draft[field] || 'Nothing';
}
