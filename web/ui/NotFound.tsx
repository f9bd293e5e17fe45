import { Box, Button, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { LineDrawing } from './LineDrawing.tsx';
import { usePageTitle } from './page-title.ts';

interface NotFoundProps {
  /** What was looked for, as in 'Person'. */
  thing: string;
  /** Says why it may be missing. */
  children: string;
  back: { to: string; label: string };
}

/** Replaces a screen whose address names something that is not there for this person. Trying again would not help. */
export function NotFound({ thing, children, back }: NotFoundProps) {
  const title = `${thing} not found`;
  usePageTitle(title);
  return (
    <Stack align="center" gap="xs" py={64} px="md" ta="center">
      <LineDrawing />
      <Title order={1}>{title}</Title>
      <Text c="dimmed" maw={440} style={{ textWrap: 'balance' }}>
        {children}
      </Text>
      <Box mt="sm">
        <Button component={Link} to={back.to} variant="default">
          {back.label}
        </Button>
      </Box>
    </Stack>
  );
}
