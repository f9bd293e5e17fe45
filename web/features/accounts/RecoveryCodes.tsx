import { Alert, Button, Code, CopyButton, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Check, Copy, Download, KeyRound } from 'lucide-react';

/** Shown once, right after they were made. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = `${codes.join('\n')}\n`;
  return (
    <Alert icon={<KeyRound size={18} aria-hidden />} title="Keep your recovery codes" role="status">
      <Stack gap="md">
        <Text size="sm">
          With one of these you sign in when your phone is not at hand. Each works once. They are shown only now: keep
          them where nobody else looks, and not on the phone itself.
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={6} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {codes.map((code) => (
            <li key={code}>
              <Code fz="sm">{code}</Code>
            </li>
          ))}
        </SimpleGrid>
        <Group gap="sm">
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
          <Button onClick={onDone}>I have kept them</Button>
        </Group>
      </Stack>
    </Alert>
  );
}
