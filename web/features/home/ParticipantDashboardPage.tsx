import { ComingPage } from '../../ui/ComingPage.tsx';

export function ParticipantDashboardPage() {
  return <ComingPage title="x">x</ComingPage>;
}
