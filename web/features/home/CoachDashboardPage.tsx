import { ComingPage } from '../../ui/ComingPage.tsx';

export function CoachDashboardPage() {
  return <ComingPage title="x">x</ComingPage>;
}
