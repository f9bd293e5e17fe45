import '../styles/later.css';
import { Notifications } from '@mantine/notifications';

export function Toasts() {
  return <Notifications position="bottom-left" limit={5} />;
}
