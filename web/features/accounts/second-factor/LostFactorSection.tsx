import { Button, Card, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { z } from 'zod';
import { removeSecondFactor } from '#contract/second-factor.ts';
import { messageOf } from '../../../api/api-error.ts';
import { useAction } from '../../../api/use-action.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { limitOf } from '../../../ui/text-limit.ts';
import { useForm } from '../../../ui/use-form.ts';

const schema = z.object({ email: z.email('Please enter their email address') });

/** For admins: lets a person back in who has neither their app nor a recovery code. */
export function LostFactorSection() {
  const [isAsking, dialog] = useDisclosure(false);
  const form = useForm({ email: '' });
  const action = useAction(removeSecondFactor, {
    success: ({ email }) => ({ title: 'Second Factor Removed', message: `${email} signs in by password again.` }),
    onSuccess: () => {
      dialog.close();
      form.reset();
    },
    onError: (error) => {
      dialog.close();
      form.showErrors({ email: messageOf(error) });
    },
  });
  return (
    <Card component="section" aria-labelledby="lost-factor-title">
      <Title order={2} id="lost-factor-title" mb={4}>
        Somebody lost their second factor
      </Title>
      <form noValidate onSubmit={form.submit(schema, dialog.open)}>
        <Stack gap="md" align="flex-start">
          <Text c="dimmed">
            For people who have lost both their phone and their recovery codes. Make sure it is really them asking.
          </Text>
          <TextInput
            label="Their email"
            maxLength={limitOf(removeSecondFactor.body, 'email')}
            type="email"
            autoComplete="off"
            required
            withAsterisk={false}
            w="100%"
            maw={360}
            {...form.field('email')}
          />
          <Button type="submit" variant="default">
            Remove second factor
          </Button>
        </Stack>
      </form>
      <ConfirmDialog
        isOpen={isAsking}
        title="Remove second factor"
        confirmLabel="Remove second factor"
        isDestructive
        isRunning={action.isRunning}
        onConfirm={() => action.run({ body: form.draft })}
        onClose={dialog.close}
      >
        The second factor of <b>{form.draft.email}</b> is removed and all their devices are signed out. We email them.
      </ConfirmDialog>
    </Card>
  );
}
