import { Box, Button, Code, CopyButton, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Check, Copy, Download } from 'lucide-react';
import { useEffect, useRef } from 'react';

/** The codes show once, right after they were made. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = `${codes.join('\n')}\n`;
  const heading = useRef<HTMLHeadingElement>(null);
  // On a phone the part that stood here before was taller. Without the focus, the codes would be above the visible
  // area.
  useEffect(() => heading.current?.focus(), []);
  return (
    <Stack gap="md" role="status">
      <Box>
        <Title order={3} ref={heading} tabIndex={-1} style={{ scrollMarginTop: 120, outline: 'none' }}>
          Keep your recovery codes
        </Title>
        <Text c="dimmed">
          Use one of these to sign in when you do not have your phone. Each works once. We show them only now, so keep
          them in a safe place, and not on your phone.
        </Text>
      </Box>
      <SimpleGrid cols={2} spacing="xs" maw={360} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {codes.map((code) => (
          <li key={code}>
            <Code fz="sm" px={8} py={4} display="block" ta="center" style={{ whiteSpace: 'nowrap' }}>
              {code}
            </Code>
          </li>
        ))}
      </SimpleGrid>
      <Group gap="sm">
        <Button onClick={onDone}>I saved them</Button>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              onClick={copy}
              leftSection={copied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
        <Button
          variant="default"
          component="a"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="switchyard-recovery-codes.txt"
          leftSection={<Download size={15} aria-hidden />}
        >
          Download
        </Button>
      </Group>
    </Stack>
  );
}
