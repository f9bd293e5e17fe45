import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { paths } from '../../app/paths.ts';

interface PersonLinkProps {
  personId: string;
  name: string;
  /** The reply's `can` says so. */
  canOpen: boolean;
  fw?: number;
  className?: string | undefined;
}

/** A name that leads to the person's page exactly where that opens. */
export function PersonLink({ personId, name, canOpen, ...look }: PersonLinkProps) {
  if (!canOpen) {
    return (
      <Text span inherit {...look}>
        {name}
      </Text>
    );
  }
  return (
    <Anchor component={Link} to={paths.person(personId)} c="inherit" inherit {...look}>
      {name}
    </Anchor>
  );
}
