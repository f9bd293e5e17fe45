import '../styles/later.css';
import { Notifications } from '@mantine/notifications';

/** As wide as the contacts, so that beside the side navigation it leaves the line for writing a message free. */
const width = 352;

export function Toasts() {
  return <Notifications position="bottom-left" limit={5} containerWidth={width} />;
}
