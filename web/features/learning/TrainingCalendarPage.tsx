import { ComingPage } from '../../ui/ComingPage.tsx';

export function TrainingCalendarPage() {
  return <ComingPage title="x">x</ComingPage>;
}
