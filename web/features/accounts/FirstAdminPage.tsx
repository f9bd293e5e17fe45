import { ComingPage } from '../../ui/ComingPage.tsx';

export function FirstAdminPage() {
  return <ComingPage title="x">x</ComingPage>;
}
