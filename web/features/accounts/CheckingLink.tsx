import { Card, Group, Loader, Text } from '@mantine/core';

/** AUTH-36 */
export function CheckingLink() {
  return (
    <Card padding="xl" role="status">
      <Group gap="sm">
        <Loader size="sm" aria-hidden />
        <Text>Validating your link...</Text>
      </Group>
    </Card>
  );
}
