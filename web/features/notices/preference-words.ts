import type { NotificationPreferences } from '#contract/notices.ts';

export interface Choice {
  key: keyof NotificationPreferences;
  label: string;
  description: string;
}

export const channelChoices: (Choice & { channel: 'email' | 'sms' | 'push' })[] = [
  { key: 'emailEnabled', channel: 'email', label: 'Email', description: 'To the address that you sign in with.' },
  {
    key: 'smsEnabled',
    channel: 'sms',
    label: 'SMS',
    description: 'Text messages to your phone. None between 9 PM and 8 AM US Eastern; they come in the morning.',
  },
  {
    key: 'pushEnabled',
    channel: 'push',
    label: 'Push',
    description: 'Notifications of your browser. None between 9 PM and 8 AM US Eastern; they come in the morning.',
  },
];

/** PREF-12 */
export const categoryChoices: Choice[] = [
  {
    key: 'assignmentReminders',
    label: 'Assignment reminders',
    description: 'Sent 24 hours before the due date of what you have not handed in. Coaches: work that was handed in.',
  },
  {
    key: 'deadlineAlerts',
    label: 'Deadline alerts',
    description:
      'Weekly requirements, 24 hours before their due date, and coaching sessions, 24 hours before the session.',
  },
  {
    key: 'performanceFeedback',
    label: 'Performance feedback',
    description: 'Sent immediately when your work was reviewed.',
  },
  { key: 'stipendUpdates', label: 'Stipend updates', description: 'Sent immediately when a stipend was decided.' },
  {
    key: 'coachMessages',
    label: 'Coach messages',
    description: 'Sent immediately when somebody writes to you; several messages in a row are one notification.',
  },
];

/** Said beside a channel that this server can't send by. */
export const notSetUp: Record<'email' | 'sms' | 'push', string> = {
  email: 'Email is not set up on this server. Your choice is kept until it is.',
  sms: 'SMS is not set up on this server. Your choice is kept until it is.',
  push: 'Push is not set up on this server. Your choice is kept until it is.',
};

/** Said beside SMS that is switched on without a number to send to. */
export const withoutPhone = 'No text messages come before you add your phone number below.';
