import { ComingPage } from '../../ui/ComingPage.tsx';

export function ContentManagementPage() {
  return (
    <ComingPage title="Content Management">Contents and assignments of each activity will be kept here.</ComingPage>
  );
}
