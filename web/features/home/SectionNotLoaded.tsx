import { ErrorState } from '../../ui/states.tsx';
import { HomePanel } from './HomePanel.tsx';

export interface Retry {
  onRetry: () => void;
  isRetrying: boolean;
}

interface SectionNotLoadedProps {
  id: string;
  title: string;
  failure: string;
  retry: Retry;
}

/** Stands in for one section of a dashboard. The other sections work as usual. */
export function SectionNotLoaded({ id, title, failure, retry }: SectionNotLoadedProps) {
  return (
    <HomePanel id={id} title={title}>
      <ErrorState title={failure} message="Please try again in a moment." {...retry} />
    </HomePanel>
  );
}
