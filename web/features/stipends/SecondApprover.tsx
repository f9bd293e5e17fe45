import { Alert, Button, Group, Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listStipendCohorts, setSecondApprover } from '#contract/stipend-cohorts.ts';
import { queryFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { formatShortInstant } from '../../ui/dates.ts';

/** For the picked cohort. Switching off only asks for it, because another admin has to agree. */
export function SecondApprover({ cohortId }: { cohortId: string }) {
  const cohorts = useQuery(queryFor(listStipendCohorts)).data?.cohorts;
  const cohort = cohorts?.find(({ id }) => id === cohortId);
  const set = useAction(setSecondApprover, {
    success: outcomeInWords,
    failureTitle: 'Update Failed',
  });
  if (!cohort) return null;
  const send = (isNeeded: boolean, confirms = false) =>
    set.run({ params: { id: cohortId }, body: { isNeeded, confirms } });
  return (
    <Stack gap="sm">
      <Switch
        label="Two admins have to approve"
        description={`Stipends of ${cohort.name}: whoever changed the amount cannot be the second`}
        checked={cohort.needsSecondApprover}
        disabled={set.isRunning || cohort.askedOff !== null}
        onChange={({ currentTarget }) => send(currentTarget.checked)}
      />
      {cohort.askedOff ? (
        <Alert color="yellow" title={`${cohort.askedOff.byName} asks for one approver to be enough`}>
          <Stack gap="sm">
            <span>
              Asked {formatShortInstant(cohort.askedOff.at)}.{' '}
              {cohort.askedOff.can.agree
                ? 'It takes effect when you agree.'
                : 'It takes effect when another admin agrees.'}
            </span>
            <Group gap="sm">
              {cohort.askedOff.can.agree ? (
                <Button size="xs" disabled={set.isRunning} onClick={() => send(false, true)}>
                  Agree: one approver is enough
                </Button>
              ) : null}
              <Button size="xs" variant="default" disabled={set.isRunning} onClick={() => send(true)}>
                {cohort.askedOff.isOwn ? 'Take it back' : 'Keep two approvers'}
              </Button>
            </Group>
          </Stack>
        </Alert>
      ) : null}
    </Stack>
  );
}

function outcomeInWords({ isNeeded, askedOff }: { isNeeded: boolean; askedOff: object | null }) {
  if (askedOff) return { title: 'Another Admin Has to Agree', message: 'Until then two admins have to approve.' };
  return { title: isNeeded ? 'Two Approvers Needed' : 'One Approver Is Enough' };
}
