import { ComingPage } from '../../ui/ComingPage.tsx';

export function ResourcesManagementPage() {
  return (
    <ComingPage title="Resources Management">
      The library that participants and coaches browse will be kept here.
    </ComingPage>
  );
}
