import { ChartPlace } from '../../ui/ChartPlace.tsx';
import { CoachWeeks } from './CoachWeeks.tsx';
import { HomePanel } from './HomePanel.tsx';

/** The grid comes when somebody scrolls to it. Its place keeps room for as many rows as there are people, up to a page. */
export function CoachWeeksPanel({ people }: { people: number }) {
  const height = 150 + 48 * Math.min(15, people);
  return (
    <HomePanel title="Weeks at a glance">
      <ChartPlace height={height}>{() => <CoachWeeks />}</ChartPlace>
    </HomePanel>
  );
}
