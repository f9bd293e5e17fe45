import { Alert, Box, Button, Group, Stack, Text } from '@mantine/core';
import { fieldsThatDiffer } from './use-form.ts';

interface OvertakenProps<Draft extends object> {
  own: Draft;
  theirs: Draft;
  fieldNames: Record<keyof Draft, string>;
  inWords?: (draft: Draft, field: keyof Draft) => string;
  onKeepOwn: () => void;
  onTakeTheirs: () => void;
}

/** Somebody else has saved meanwhile. Each field that differs shows both versions, and the person decides. */
export function Overtaken<Draft extends object>(props: OvertakenProps<Draft>) {
  const { own, theirs, fieldNames, inWords = plainWords, onKeepOwn, onTakeTheirs } = props;
  const differing = fieldsThatDiffer(own, theirs);
  return (
    <Alert color="yellow" title="Somebody else has just changed this" role="alert">
      <Stack gap="sm">
        {differing.length === 0 ? <Text size="sm">Both of you wrote the same.</Text> : null}
        {differing.map((field) => (
          <Box key={String(field)} style={{ whiteSpace: 'pre-wrap' }}>
            <Text size="sm" fw={600}>
              {fieldNames[field]}
            </Text>
            <Text size="sm">Saved now: {inWords(theirs, field)}</Text>
            <Text size="sm">Yours: {inWords(own, field)}</Text>
          </Box>
        ))}
        <Group gap="sm">
          <Button variant="default" size="sm" onClick={onKeepOwn}>
            Keep mine
          </Button>
          <Button variant="default" size="sm" onClick={onTakeTheirs}>
            Use what is saved
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function plainWords<Draft extends object>(draft: Draft, field: keyof Draft): string {
  const value = draft[field];
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return String(value ?? '') || 'Nothing';
}
