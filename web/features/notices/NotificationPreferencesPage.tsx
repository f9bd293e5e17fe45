import { ComingPage } from '../../ui/ComingPage.tsx';

export function NotificationPreferencesPage() {
  return (
    <ComingPage title="Notification Preferences">What you are told, and by which way, will be set here.</ComingPage>
  );
}
