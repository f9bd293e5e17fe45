import { ComingPage } from '../../ui/ComingPage.tsx';

export function CreateSuperadminPage() {
  return <ComingPage title="Create Superadmin Account">New admin accounts will be created here.</ComingPage>;
}
