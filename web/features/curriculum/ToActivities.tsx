import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { paths } from '../../app/paths.ts';

/** The next step where a list of activities is empty, because they are created elsewhere. */
export function ToActivities() {
  return (
    <Button component={Link} to={`${paths.programmeSetup}?tab=activities`} variant="default">
      Open Programme Setup
    </Button>
  );
}
