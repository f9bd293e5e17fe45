import { ComingPage } from '../../ui/ComingPage.tsx';

export function AssignParticipantsPage() {
  return <ComingPage title="Assign Participants">Participants without a coach will be given one here.</ComingPage>;
}
