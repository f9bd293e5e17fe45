import { ComingPage } from '../../ui/ComingPage.tsx';

export function ProgrammeSetupPage() {
  return <ComingPage title="Programme Setup">Cohorts, courses, modules and tracks will be set up here.</ComingPage>;
}
