import { ComingPage } from '../../ui/ComingPage.tsx';

export function BulkInvitationsPage() {
  return <ComingPage title="x">x</ComingPage>;
}
