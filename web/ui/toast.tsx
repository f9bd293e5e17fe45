import { Button, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { loadParts } from './use-part.ts';

export interface Toast {
  type: 'success' | 'error' | 'warning' | 'info';
  title: string;
  message?: string | null;
  /** Milliseconds. The default is 5000 (TOAST-03), or more for an error or a warning that takes longer to read. */
  duration?: number;
  /** An act that the person can do while the toast is there. */
  action?: { label: string; run: () => void };
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

/** The id of the newest toast by type and title. */
const newest = new Map<string, string>();

/** TOAST-01 to TOAST-06. Returns the id for `hideToast`. If good news repeats, only the newest toast stays. */
export function showToast({ type, title, message, duration, action }: Toast): string {
  loadParts();
  const { color, icon: Icon, word } = looks[type];
  const isGoodNews = type === 'success' || type === 'info';
  const earlier = isGoodNews ? newest.get(`${type} ${title}`) : undefined;
  if (earlier) hideToast(earlier);
  const act = () => {
    hideToast(id);
    action?.run();
  };
  const id: string = notifications.show({
    title,
    message: action ? <Acting message={message} label={action.label} run={act} /> : (message ?? ''),
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

function Acting({ message, label, run }: { message: Toast['message']; label: string; run: () => void }) {
  return (
    <Stack gap={6} align="flex-start">
      {message}
      <Button variant="light" size="compact-sm" onClick={run}>
        {label}
      </Button>
    </Stack>
  );
}

function readingTime(words: string): number {
  return Math.max(defaultDuration, words.length * readingMsPerCharacter);
}

/** Takes away a toast that no longer holds. Does nothing if it has gone by itself. */
export function hideToast(id: string): void {
  notifications.hide(id);
}
