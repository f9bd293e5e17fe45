import { ComingPage } from '../../ui/ComingPage.tsx';

export function AssignmentPage() {
  return <ComingPage title="x">x</ComingPage>;
}
