import { ComingPage } from '../../ui/ComingPage.tsx';

export function FellowshipPage() {
  return <ComingPage title="x">x</ComingPage>;
}
