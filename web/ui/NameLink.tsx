import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

interface NameLinkProps {
  name: string;
  /** Null where the page of the person does not open. The reply's `can` says so. */
  to: string | null;
  fw?: number;
  className?: string | undefined;
}

/** A name that leads to the person's page exactly where that opens. */
export function NameLink({ name, to, ...look }: NameLinkProps) {
  if (to === null) {
    return (
      <Text span inherit {...look}>
        {name}
      </Text>
    );
  }
  return (
    <Anchor component={Link} to={to} c="inherit" inherit {...look}>
      {name}
    </Anchor>
  );
}
