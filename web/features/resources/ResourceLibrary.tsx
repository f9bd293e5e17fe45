import { Anchor, Box, Card, Group, SimpleGrid, Stack, Text, VisuallyHidden } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import type { LibraryResource } from '#contract/resources.ts';
import { formatDay } from '../../ui/dates.ts';
import classes from './ResourceLibrary.module.css';
import { ResourceTypeBadge } from './ResourceTypeBadge.tsx';
import { programNames } from './resource-words.ts';

interface ResourceLibraryProps {
  resources: LibraryResource[];
  /** Coaches have several. */
  isProgramShown: boolean;
}

/** RES-36, RES-38 */
export function ResourceGrid({ resources, isProgramShown }: ResourceLibraryProps) {
  return (
    <SimpleGrid component="ul" cols={{ base: 1, sm: 2, lg: 3 }} className={classes.resources} aria-label="Resources">
      {resources.map((resource) => (
        <Card key={resource.id} component="li" className={classes.resource}>
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
      ))}
    </SimpleGrid>
  );
}

export function ResourceList({ resources, isProgramShown }: ResourceLibraryProps) {
  return (
    <Card component="ul" p={0} className={classes.resources} aria-label="Resources">
      {resources.map((resource) => (
        <Box key={resource.id} component="li" className={`${classes.resource} ${classes.inRow}`}>
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
        </Box>
      ))}
    </Card>
  );
}

function ResourceLink({ resource: { title, fileUrl } }: { resource: LibraryResource }) {
  return (
    <Text component="div">
      <Anchor href={fileUrl} target="_blank" rel="noopener noreferrer" className={classes.link}>
        {title}
        <VisuallyHidden> (opens in a new tab)</VisuallyHidden>{' '}
        <ExternalLink size={14} aria-hidden style={{ verticalAlign: '-2px' }} />
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

function placeInWords({ courseModule, program }: LibraryResource, isProgramShown: boolean): string {
  return [courseModule ?? 'No module', ...(isProgramShown ? [programNames[program]] : [])].join(' · ');
}
