import { Alert, Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ShieldAlert } from 'lucide-react';
import { paths } from './paths.ts';

/** Over a screen that was open when the person's role came to need a second factor. */
export function SecondFactorNote() {
  return (
    <Alert
      color="yellow"
      icon={<ShieldAlert size={18} aria-hidden />}
      title="Your role needs a second factor now"
      role="alert"
      mb="lg"
    >
      What you have typed stays here, but it can be saved only after the set-up.{' '}
      <Anchor component={Link} to={paths.accountSecurity} target="_blank" c="inherit" inherit underline="always">
        Set it up in a new tab
      </Anchor>
      , then go on here.
    </Alert>
  );
}
