import { type NoticeCategory, type NotificationPreferences, noticeCategories } from '#contract/notices.ts';
import type { Role } from '#contract/roles.ts';

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
    description:
      "Text messages to your phone. None between 9 PM and 8 AM in your program's time; they come in the morning.",
  },
  {
    key: 'pushEnabled',
    channel: 'push',
    label: 'Push',
    description:
      "Notifications of your browser. None between 9 PM and 8 AM in your program's time; they come in the morning.",
  },
];

const categoryLabels: Record<NoticeCategory, string> = {
  assignmentReminders: 'Assignment reminders',
  deadlineAlerts: 'Deadline alerts',
  performanceFeedback: 'Performance feedback',
  stipendUpdates: 'Stipend updates',
  coachMessages: 'Coach messages',
};

/** PREF-12: everything that each switch stops, for people of each role. */
const categoryDescriptions: Record<Role, Record<NoticeCategory, string>> = {
  participant: {
    assignmentReminders: 'Sent 24 hours before the due date of what you have not handed in.',
    deadlineAlerts: 'Sent 24 hours before a weekly requirement is due, and 24 hours before a coaching session.',
    performanceFeedback: 'Sent a minute after your work was reviewed.',
    stipendUpdates:
      'Sent immediately when your stipend was decided or paid, and when a question about one, or about your attendance, was answered.',
    coachMessages:
      'Sent immediately when your coach writes to you, several messages in a row as one; when you get a coach; and when a coaching session was booked, moved or cancelled.',
  },
  coach: {
    assignmentReminders: 'Sent immediately when one of your participants hands in work.',
    deadlineAlerts: 'Sent 24 hours before a coaching session, and immediately when an activity was assigned to you.',
    performanceFeedback: 'About reviews of handed in work; coaches are sent none.',
    stipendUpdates: 'Sent immediately when one of your participants asks to correct attendance.',
    coachMessages:
      'Sent immediately when a participant writes to you, several messages in a row as one; when you get participants; and when a coaching session was booked, moved or cancelled.',
  },
  admin: {
    assignmentReminders: 'About work to hand in or to review; admins are sent none.',
    deadlineAlerts: 'About deadlines and coaching sessions; admins are sent none.',
    performanceFeedback: 'About reviews of handed in work; admins are sent none.',
    stipendUpdates:
      'Sent immediately when a participant without a coach asks about a stipend or to correct attendance, and when another admin changes whether stipends need two approvers.',
    coachMessages: 'Between participants and coaches; admins are sent none.',
  },
};

export function categoryChoices(role: Role): Choice[] {
  return noticeCategories.map((key) => ({
    key,
    label: categoryLabels[key],
    description: categoryDescriptions[role][key],
  }));
}

/** Stands beside a channel that this server cannot send by. */
export const notSetUp: Record<'email' | 'sms' | 'push', string> = {
  email: 'Email is not set up here. Your choice is kept until it is.',
  sms: 'SMS is not set up here. Your choice is kept until it is.',
  push: 'Push is not set up here. Your choice is kept until it is.',
};

/** Stands beside SMS if it is switched on without a phone number. */
export const withoutPhone = 'Add your phone number below to get text messages.';
