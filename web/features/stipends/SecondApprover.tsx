import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listStipendCohorts, setSecondApprover } from '#contract/stipend-payments.ts';
import { listStipends } from '#contract/stipends.ts';
import { queryFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';

/** Of the cohort that was picked. */
export function SecondApprover({ cohortId }: { cohortId: string }) {
  const cohorts = useQuery(queryFor(listStipendCohorts)).data?.cohorts;
  const cohort = cohorts?.find(({ id }) => id === cohortId);
  const set = useAction(setSecondApprover, {
    refreshes: [listStipendCohorts, listStipends],
    success: ({ isNeeded }) => ({ title: isNeeded ? 'Second approver needed' : 'One approver is enough' }),
    failureTitle: 'Update Failed',
  });
  if (!cohort) return null;
  return (
    <Switch
      label="Two admins have to approve"
      description={`Stipends of ${cohort.name}: the second is not who changed the amount`}
      checked={cohort.needsSecondApprover}
      disabled={set.isRunning}
      onChange={({ currentTarget }) => set.run({ params: { id: cohortId }, body: { isNeeded: currentTarget.checked } })}
    />
  );
}
