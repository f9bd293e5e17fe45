import { ComingPage } from '../../ui/ComingPage.tsx';

export function TrainingManagementPage() {
  return (
    <ComingPage title="Training Activity Management">Training activities will be scheduled and edited here.</ComingPage>
  );
}
