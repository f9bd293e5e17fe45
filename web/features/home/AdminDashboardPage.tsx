import { ComingPage } from '../../ui/ComingPage.tsx';

export function AdminDashboardPage() {
  return <ComingPage title="x">x</ComingPage>;
}
