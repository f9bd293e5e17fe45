import { ComingPage } from '../../ui/ComingPage.tsx';

export function MessagesPage() {
  return <ComingPage title="Messages">Conversations between participants and their coach will be here.</ComingPage>;
}
