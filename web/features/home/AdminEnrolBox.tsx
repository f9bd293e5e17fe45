import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { enrolInFellowship } from '#contract/cohorts.ts';
import { readAdminDashboard } from '#contract/home.ts';
import { useAction } from '../../api/use-action.ts';
import { HomePanel } from './HomePanel.tsx';

const emptyMessage = 'Please enter a user ID to search for';

/** ADMIN-11 to ADMIN-18; what was typed stays when it is refused. */
export function AdminEnrolBox() {
  const form = useForm({
    initialValues: { userId: '' },
    validate: { userId: (userId) => (userId.trim() === '' ? emptyMessage : null) },
    validateInputOnChange: false,
  });
  const action = useAction(enrolInFellowship, {
    refreshes: [readAdminDashboard],
    success: ({ firstName, lastName, cohortName }) => ({
      title: 'User Registered',
      message: `${firstName} ${lastName} is now registered in ${cohortName}.`,
    }),
    failureTitle: 'Registration Failed',
    onSuccess: () => form.reset(),
    onError: () => form.getInputNode('userId')?.focus(),
  });
  return (
    <HomePanel title="Register in the fellowship cohort">
      <form
        noValidate
        onSubmit={form.onSubmit(
          ({ userId }) => action.run({ body: { userId } }),
          () => form.getInputNode('userId')?.focus(),
        )}
      >
        <Stack gap="sm" align="flex-start">
          <TextInput
            w="100%"
            label="User ID"
            description="The id of the participant’s account"
            placeholder="00000000-0000-0000-0000-000000000000"
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            {...form.getInputProps('userId')}
          />
          <Button type="submit" loading={action.isRunning}>
            Register user
          </Button>
        </Stack>
      </form>
    </HomePanel>
  );
}
