import { ComingPage } from '../../ui/ComingPage.tsx';

export function ResourcesPage() {
  return (
    <ComingPage title="Learning Resources">Recordings, slides and materials of your programme will be here.</ComingPage>
  );
}
