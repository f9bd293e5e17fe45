import { ComingPage } from '../../ui/ComingPage.tsx';

export function ActivityPage() {
  return <ComingPage title="x">x</ComingPage>;
}
