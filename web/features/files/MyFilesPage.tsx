import { ComingPage } from '../../ui/ComingPage.tsx';

export function MyFilesPage() {
  return <ComingPage title="My Files">Files that you keep for yourself will be here.</ComingPage>;
}
