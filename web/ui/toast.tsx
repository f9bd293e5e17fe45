import { notifications } from '@mantine/notifications';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';

export interface Toast {
  type: 'success' | 'error' | 'warning' | 'info';
  title: string;
  message?: string | null;
  /** Milliseconds. The default is 5000 (TOAST-03), or more for an error or a warning that takes longer to read. */
  duration?: number;
}

const looks = {
  success: { color: 'teal', icon: CircleCheck, word: 'Success' },
  error: { color: 'red', icon: CircleAlert, word: 'Error' },
  warning: { color: 'yellow', icon: TriangleAlert, word: 'Warning' },
  info: { color: 'indigo', icon: Info, word: 'Note' },
} as const;

const defaultDuration = 5000;
/** Slow enough for a person who reads a foreign language. */
const readingMsPerCharacter = 60;

/** The id of the newest toast by what repeats: good news by its title, a refusal by all its words. */
const newest = new Map<string, string>();

/** TOAST-01 to TOAST-06. Returns the id for `hideToast`. If a toast repeats, only the newest stays. */
export function showToast({ type, title, message, duration }: Toast): string {
  const { color, icon: Icon, word } = looks[type];
  const isGoodNews = type === 'success' || type === 'info';
  const said = JSON.stringify([type, title, isGoodNews ? null : message]);
  const earlier = newest.get(said);
  if (earlier) hideToast(earlier);
  const id = notifications.show({
    title,
    message: message ?? '',
    color,
    icon: <Icon size={18} aria-label={word} />,
    autoClose: duration ?? (isGoodNews ? defaultDuration : readingTime(`${title} ${message ?? ''}`)),
    withBorder: true,
    role: type === 'error' || type === 'warning' ? 'alert' : 'status',
    'data-toast': type,
    closeButtonProps: { 'aria-label': 'Dismiss' },
  });
  newest.set(said, id);
  return id;
}

function readingTime(words: string): number {
  return Math.max(defaultDuration, words.length * readingMsPerCharacter);
}

/** Takes away a toast that no longer holds. Does nothing if it has gone by itself. */
export function hideToast(id: string): void {
  notifications.hide(id);
}
