import { Alert, Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Info } from 'lucide-react';
import { paths } from '../../app/paths.ts';

export function NoCohortNote() {
  return (
    <Alert color="yellow" icon={<Info size={18} aria-hidden />} radius="lg" title="Add a cohort first" role="note">
      Each row of a file names a cohort. No cohort is active or planned, so you cannot import anybody yet.{' '}
      <Anchor component={Link} to={paths.programmeSetup} c="inherit" inherit underline="always">
        Open Programme Setup
      </Anchor>
    </Alert>
  );
}
