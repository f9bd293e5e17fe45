import { Button, Card, Checkbox, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { changeSignInPolicy, readSignInPolicy, type SecondFactorRole } from '#contract/second-factor.ts';
import { ApiError } from '../../../api/api-error.ts';
import { queryClient, queryFor, refresh } from '../../../api/query-for.ts';
import { useAction } from '../../../api/use-action.ts';
import { Loaded } from '../../../ui/Loaded.tsx';

/** For admins: which roles must have a second factor. */
export function SignInPolicySection() {
  const policy = useQuery(queryFor(readSignInPolicy));
  return (
    <Card component="section" aria-labelledby="policy-title">
      <Title order={2} id="policy-title" mb={4}>
        Who must have a second factor
      </Title>
      <Loaded read={policy} failure="The rule could not be loaded" loading={{ label: 'Loading the rule', rows: 2 }}>
        {(data) => <PolicyForm policy={data} />}
      </Loaded>
    </Card>
  );
}

const words: Record<SecondFactorRole, { many: string; one: string }> = {
  coach: { many: 'coaches', one: 'coach' },
  admin: { many: 'admins', one: 'admin' },
};

function PolicyForm({ policy }: { policy: ResponseOf<typeof readSignInPolicy> }) {
  // The choice keeps the rule that it was made over, so that it does not undo another admin's.
  const [chosen, setChosen] = useState<{ roles: SecondFactorRole[]; seen: SecondFactorRole[] } | null>(null);
  const roles = chosen?.roles ?? policy.secondFactorRoles;
  const seen = chosen?.seen ?? policy.secondFactorRoles;
  const action = useAction(changeSignInPolicy, {
    success: 'Rule Saved',
    failureTitle: 'Rule Not Saved',
    onSuccess: (saved) => {
      queryClient.setQueryData(queryFor(readSignInPolicy).queryKey, saved);
      setChosen(null);
    },
    onError: (error) => {
      if (!(error instanceof ApiError && error.code === 'stale')) return;
      void refresh([readSignInPolicy]).then(() => setChosen(null));
    },
  });
  const toggle = (role: SecondFactorRole, isChecked: boolean) => {
    setChosen({ roles: isChecked ? [...roles, role] : roles.filter((kept) => kept !== role), seen });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        action.run({ body: { secondFactorRoles: roles, seen } });
      }}
    >
      <Stack gap="md" align="flex-start">
        <Text c="dimmed">
          People without one set it up the next time they use Switchyard. Admins who still have days left keep them.
          Nobody is locked out.
        </Text>
        {(['coach', 'admin'] as const).map((role) => (
          <Checkbox
            key={role}
            label={`All ${words[role].many}`}
            description={withoutOne(policy.without[role], role)}
            checked={roles.includes(role)}
            onChange={(event) => toggle(role, event.currentTarget.checked)}
          />
        ))}
        <Button type="submit" variant="default" loading={action.isRunning}>
          Save rule
        </Button>
      </Stack>
    </form>
  );
}

function withoutOne(count: number, role: SecondFactorRole): string {
  if (count === 0) return `Every ${words[role].one} has one.`;
  return count === 1 ? `One ${words[role].one} has none yet.` : `${count} ${words[role].many} have none yet.`;
}
