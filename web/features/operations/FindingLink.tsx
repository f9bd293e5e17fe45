import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { FindingCode } from '#contract/operations.ts';
import { paths } from '../../app/paths.ts';

/** Findings that a screen of the product settles. */
const screens: Partial<Record<FindingCode, { label: string; to: string }>> = {
  'messages-undelivered': { label: 'Undelivered Messages', to: paths.deliveries },
  'stipends-not-handed-over': { label: 'Stipend Management', to: `${paths.stipendManagement}?tab=reconciliation` },
  'admin-without-second-factor': { label: 'User Management', to: `${paths.userManagement}?role=admin` },
};

export function FindingLink({ code }: { code: FindingCode }) {
  const screen = screens[code];
  if (!screen) return null;
  return (
    <Anchor component={Link} to={screen.to} size="sm" py={4} display="inline-block">
      Open {screen.label}
    </Anchor>
  );
}
