import { Button } from '@mantine/core';
import { CircleHelp } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { PayPeriod } from '#contract/pay-periods.ts';
import type { Conditions } from '#contract/stipend-rules.ts';
import { partInTime } from '../../api/patience.ts';

const StipendHelpPopover = lazy(async () => ({
  default: (await partInTime(() => import('./StipendHelpPopover.tsx'))).StipendHelpPopover,
}));

interface StipendHelpProps {
  rules: Conditions;
  payPeriod: PayPeriod;
}

/** Stands at the criteria of a stipend, where people ask what counts. */
export function StipendHelp({ rules, payPeriod }: StipendHelpProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <span>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<CircleHelp size={15} aria-hidden />}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        What counts?
      </Button>
      {isOpen ? (
        <Suspense>
          <StipendHelpPopover rules={rules} payPeriod={payPeriod} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </span>
  );
}
