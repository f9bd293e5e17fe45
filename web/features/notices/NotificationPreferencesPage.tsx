import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readNotificationPreferences } from '#contract/notices.ts';
import { queryFor } from '../../api/query-for.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PhoneSection } from '../deliveries/PhoneSection.tsx';
import { PreferencesForm } from './PreferencesForm.tsx';

/** PREF-01, PREF-07 */
export function NotificationPreferencesPage() {
  const stored = useQuery(queryFor(readNotificationPreferences));
  return (
    <>
      <PageHeader title="Notification Preferences" lead="Choose how we notify you." />
      <Loaded
        read={stored}
        failure="Failed to load notification preferences"
        loading={{ label: 'Loading your preferences', rows: 8 }}
      >
        {(data) => (
          <Stack gap="xl">
            <PreferencesForm stored={data} />
            {data.isSetUp.sms || data.phone ? (
              <PhoneSection phone={data.phone} unconfirmedPhone={data.unconfirmedPhone} />
            ) : null}
          </Stack>
        )}
      </Loaded>
    </>
  );
}
