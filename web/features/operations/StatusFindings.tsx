import { Box, Card, Group, Stack, Text, Title } from '@mantine/core';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { Finding, readStatus } from '#contract/operations.ts';
import { counted } from '../../ui/counted.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import wrapping from '../../ui/wrapping.module.css';
import { FindingLink } from './FindingLink.tsx';
import { commandsIn } from './status-words.ts';

type Status = Pick<ResponseOf<typeof readStatus>, 'findings' | 'inspectedAt'>;

/** Answers the page's question, errors first. */
export function StatusFindings({ status: { findings, inspectedAt } }: { status: Status }) {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return (
    <Card component="section" aria-labelledby="findings">
      <Group justify="space-between" gap="sm" mb={findings.length > 0 ? 'md' : 'xs'}>
        <Title order={2} id="findings">
          {titleOf(errors, findings.length - errors)}
        </Title>
        {findings.length === 0 ? <StatusBadge tone="success">All well</StatusBadge> : null}
      </Group>
      {findings.length > 0 ? (
        <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }} aria-label="What is wrong">
          {findings.map((finding) => (
            <FindingRow key={finding.code} finding={finding} />
          ))}
        </Stack>
      ) : null}
      <Text size="sm" c="dimmed" mt={findings.length > 0 ? 'md' : 0}>
        {inspectedAt ? (
          <>
            Mail, payment system, storage and files were last checked <DateTime value={inspectedAt} />. The rest was
            checked just now.
          </>
        ) : (
          'Mail, payment system, storage and files are checked every night. They have not been checked yet.'
        )}
      </Text>
    </Card>
  );
}

function titleOf(errors: number, warnings: number): string {
  if (errors > 0) return `${counted(errors, 'thing')} ${errors === 1 ? 'needs' : 'need'} fixing`;
  return warnings > 0 ? `Nothing is broken. ${counted(warnings, 'thing')} to look at` : 'Nothing is wrong';
}

function FindingRow({ finding: { severity, code, problem, remedy } }: { finding: Finding }) {
  return (
    <Group component="li" gap="sm" align="flex-start" wrap="wrap">
      <Box miw={130}>
        <StatusBadge tone={severity === 'error' ? 'danger' : 'warning'}>
          {severity === 'error' ? 'Needs fixing' : 'Worth a look'}
        </StatusBadge>
      </Box>
      <Box flex="1 1 260px" style={{ minWidth: 0, overflowWrap: 'anywhere' }} className={wrapping.wholeWords}>
        <Text>{problem}</Text>
        <Text size="sm" c="dimmed">
          <Remedy>{remedy}</Remedy>
        </Text>
        <FindingLink code={code} />
      </Box>
    </Group>
  );
}

function Remedy({ children }: { children: string }) {
  return commandsIn(children).map(({ text, isCommand }, index) =>
    isCommand ? (
      <Text key={`${index.toString()} ${text}`} component="code" ff="monospace" fz="inherit">
        {text}
      </Text>
    ) : (
      text
    ),
  );
}
