import { ComingPage } from '../../ui/ComingPage.tsx';

export function StipendManagementPage() {
  return <ComingPage title="x">x</ComingPage>;
}
