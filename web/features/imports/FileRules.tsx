import { Button, Code, List, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { bulkColumns, listImportableCohorts, optionalBulkColumns } from '#contract/imports.ts';
import { queryFor } from '../../api/query-for.ts';
import { LoadedParts } from '../../ui/Loaded.tsx';
import { downloadText } from './error-report.ts';

/** The rules for a file, with the cohorts that it may name. */
export function FileRules() {
  const cohorts = useQuery(queryFor(listImportableCohorts));
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" verticalSpacing="md">
      <Stack gap="xs">
        <Title order={2}>Columns in the file</Title>
        <Text size="sm" component="div">
          <b>Needed:</b> <Columns names={bulkColumns} />
        </Text>
        <Text size="sm" component="div">
          <b>Optional:</b> <Columns names={optionalBulkColumns} />
        </Text>
        <Text size="sm">
          Columns in any order, one person a row. A phone number outside the United States begins with + and its country
          code.
        </Text>
        <Button
          variant="subtle"
          size="compact-sm"
          w="fit-content"
          leftSection={<Download size={15} aria-hidden />}
          onClick={() => downloadText('people.csv', `${[...bulkColumns, ...optionalBulkColumns].join(',')}\n`)}
        >
          Download template
        </Button>
      </Stack>
      <Stack gap="xs">
        <Title order={2}>Available cohorts</Title>
        <LoadedParts
          read={cohorts}
          failure="The cohorts could not be loaded"
          loading={{ label: 'Loading the cohorts', rows: 2 }}
        >
          {({ cohorts: rows }) =>
            rows.length === 0 ? (
              <Text size="sm" c="dimmed">
                No cohort is active or planned.
              </Text>
            ) : (
              <>
                <Text size="sm">
                  The column <Code>cohort</Code> takes the name, and <Code>program</Code> the word beside it.
                </Text>
                <List size="sm" spacing={4} mah={220} style={{ overflowY: 'auto' }}>
                  {rows.map(({ name, programType }) => (
                    <List.Item key={`${programType} ${name}`}>
                      {name} <Code>{programType}</Code>
                    </List.Item>
                  ))}
                </List>
              </>
            )
          }
        </LoadedParts>
      </Stack>
    </SimpleGrid>
  );
}

function Columns({ names }: { names: readonly string[] }) {
  return names.map((name, index) => (
    <span key={name}>
      {index > 0 ? ' ' : ''}
      <Code>{name}</Code>
    </span>
  ));
}
