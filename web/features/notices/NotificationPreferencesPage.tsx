import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readNotificationPreferences } from '#contract/notices.ts';
import { messageOf } from '../../api/api-error.ts';
import { queryFor } from '../../api/query-for.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ErrorState, LoadingState } from '../../ui/states.tsx';
import { PhoneSection } from '../deliveries/PhoneSection.tsx';
import { PreferencesForm } from './PreferencesForm.tsx';

/** PREF-01, PREF-07 */
export function NotificationPreferencesPage() {
  const stored = useQuery(queryFor(readNotificationPreferences));
  return (
    <>
      <PageHeader title="Notification Preferences" lead="Choose how we notify you" />
      {stored.isPending ? <LoadingState label="Loading your preferences" rows={8} /> : null}
      {stored.isError && !stored.data ? (
        <ErrorState
          title="Failed to load notification preferences"
          message={messageOf(stored.error)}
          onRetry={() => void stored.refetch()}
          isRetrying={stored.isFetching}
        />
      ) : null}
      {stored.data ? (
        <Stack gap="xl">
          <PreferencesForm stored={stored.data} />
          {stored.data.isSetUp.sms || stored.data.phone ? (
            <PhoneSection phone={stored.data.phone} unconfirmedPhone={stored.data.unconfirmedPhone} />
          ) : null}
        </Stack>
      ) : null}
    </>
  );
}
