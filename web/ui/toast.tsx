import { notifications } from '@mantine/notifications';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';

export interface Toast {
  type: 'success' | 'error' | 'warning' | 'info';
  title: string;
  message?: string | null;
  /** Milliseconds; 5000 unless said otherwise (TOAST-03), or what went wrong takes longer to read. */
  duration?: number;
}

const looks = {
  success: { color: 'teal', icon: CircleCheck, word: 'Success' },
  error: { color: 'red', icon: CircleAlert, word: 'Error' },
  warning: { color: 'yellow', icon: TriangleAlert, word: 'Warning' },
  info: { color: 'indigo', icon: Info, word: 'Note' },
} as const;

const defaultDuration = 5000;
/** Slowly enough for somebody who reads a foreign language. */
const readingMsPerCharacter = 60;

/** The newest one by its kind and title. */
const newest = new Map<string, string>();

/** TOAST-01 to TOAST-06. Returns what `hideToast` takes. Of good news in a row only the newest stays. */
export function showToast({ type, title, message, duration }: Toast): string {
  const { color, icon: Icon, word } = looks[type];
  const isGoodNews = type === 'success' || type === 'info';
  const earlier = isGoodNews ? newest.get(`${type} ${title}`) : undefined;
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
  newest.set(`${type} ${title}`, id);
  return id;
}

function readingTime(words: string): number {
  return Math.max(defaultDuration, words.length * readingMsPerCharacter);
}

/** Takes away what no longer holds; nothing where it has gone by itself. */
export function hideToast(id: string): void {
  notifications.hide(id);
}
