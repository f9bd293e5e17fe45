import { ComingPage } from '../../ui/ComingPage.tsx';

export function UserManagementPage() {
  return <ComingPage title="User Management">The people of the programme will be listed and edited here.</ComingPage>;
}
