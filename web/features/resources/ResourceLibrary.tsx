import { Anchor, Box, Card, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import type { LibraryResource } from '#contract/resources.ts';
import { formatDay } from '../../ui/dates.ts';
import { LongList } from '../../ui/LongList.tsx';
import classes from './ResourceLibrary.module.css';
import { ResourceTypeBadge } from './ResourceTypeBadge.tsx';
import { audienceInWords } from './resource-words.ts';

interface ResourceLibraryProps {
  resources: LibraryResource[];
  /** Coaches have several programs. */
  isProgramShown: boolean;
}

/** RES-36, RES-38 */
export function ResourceGrid({ resources, isProgramShown }: ResourceLibraryProps) {
  return (
    <LongList
      label="Resources"
      rows={resources}
      keyOf={({ id }) => id}
      rowHeight={60}
      className={classes.cards}
      partClassName={classes.grid}
    >
      {(resource) => (
        <Card className={classes.resource} h="100%">
          <Stack gap={8} h="100%">
            <Group justify="space-between" gap="xs">
              <ResourceTypeBadge type={resource.fileType} />
              <Added resource={resource} />
            </Group>
            <ResourceLink resource={resource} />
            {resource.description ? (
              <Text size="sm" lineClamp={4} title={resource.description} style={{ whiteSpace: 'pre-wrap' }}>
                {resource.description}
              </Text>
            ) : null}
            <Text size="sm" c="dimmed" mt="auto">
              {placeInWords(resource, isProgramShown)}
            </Text>
          </Stack>
        </Card>
      )}
    </LongList>
  );
}

export function ResourceList({ resources, isProgramShown }: ResourceLibraryProps) {
  return (
    <Card p={0}>
      <LongList
        label="Resources"
        rows={resources}
        keyOf={({ id }) => id}
        rowHeight={80}
        className={classes.rows}
        partClassName={classes.rows}
        itemClassName={`${classes.resource} ${classes.inRow}`}
      >
        {(resource) => (
          <>
            <Group justify="space-between" gap="xs" align="flex-start">
              <Box flex="1 1 260px" miw={0}>
                <ResourceLink resource={resource} />
              </Box>
              <Group gap="sm">
                <ResourceTypeBadge type={resource.fileType} />
                <Added resource={resource} />
              </Group>
            </Group>
            {resource.description ? (
              <Text size="sm" mt={4} style={{ whiteSpace: 'pre-wrap' }}>
                {resource.description}
              </Text>
            ) : null}
            <Text size="sm" c="dimmed" mt={4}>
              {placeInWords(resource, isProgramShown)}
            </Text>
          </>
        )}
      </LongList>
    </Card>
  );
}

function ResourceLink({ resource: { title, fileUrl } }: { resource: LibraryResource }) {
  return (
    <Text component="div" style={{ textWrap: 'balance' }}>
      <Anchor href={fileUrl} target="_blank" rel="noopener noreferrer" className={classes.link}>
        {title}
        {/* The icon stays beside the last word. */}
        <span style={{ whiteSpace: 'nowrap' }}>
          {'\u00a0'}
          <ExternalLink size={14} aria-hidden style={{ verticalAlign: '-2px' }} />
        </span>
        <VisuallyHidden> (opens in a new tab)</VisuallyHidden>
      </Anchor>
    </Text>
  );
}

function Added({ resource: { createdAt } }: { resource: LibraryResource }) {
  return (
    <Text size="sm" c="dimmed">
      <VisuallyHidden>Added </VisuallyHidden>
      <time dateTime={createdAt}>{formatDay(createdAt, { withYear: true })}</time>
    </Text>
  );
}

function placeInWords(resource: LibraryResource, isProgramShown: boolean): string {
  return [resource.courseModule ?? 'No module', ...(isProgramShown ? [audienceInWords(resource)] : [])].join(
    '\u00a0· ',
  );
}
