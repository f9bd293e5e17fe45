import { ComingPage } from '../../ui/ComingPage.tsx';

export function SubmissionsPage() {
  return <ComingPage title="x">x</ComingPage>;
}
