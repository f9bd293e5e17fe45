import { z } from 'zod';
import { Done, endpoint, Id, IdParams, Instant, pageOf } from './endpoint.ts';

export const noticeCategories = [
  'assignmentReminders',
  'deadlineAlerts',
  'performanceFeedback',
  'stipendUpdates',
  'coachMessages',
] as const;
export type NoticeCategory = (typeof noticeCategories)[number];

export const NotificationPreferences = z.object({
  emailEnabled: z.boolean(),
  smsEnabled: z.boolean(),
  pushEnabled: z.boolean(),
  assignmentReminders: z.boolean(),
  deadlineAlerts: z.boolean(),
  performanceFeedback: z.boolean(),
  stipendUpdates: z.boolean(),
  coachMessages: z.boolean(),
});
export type NotificationPreferences = z.infer<typeof NotificationPreferences>;

/** PREF-04 */
export const defaultPreferences: NotificationPreferences = {
  emailEnabled: true,
  smsEnabled: false,
  pushEnabled: true,
  assignmentReminders: true,
  deadlineAlerts: true,
  performanceFeedback: true,
  stipendUpdates: true,
  coachMessages: true,
};

export const readNotificationPreferences = endpoint({
  name: 'readNotificationPreferences',
  method: 'GET',
  path: '/api/preferences/notifications',
  access: 'notices.own',
  summary: 'What the signed-in person is told and by which channels; the defaults while nothing was saved.',
  shows: ['preferences', 'people'],
  response: z.object({
    preferences: NotificationPreferences,
    /** Which channels this server can send by. */
    isSetUp: z.object({ email: z.boolean(), sms: z.boolean(), push: z.boolean() }),
    /** The number for text messages, as '+12125552368'. Null while the person has confirmed none. */
    phone: z.string().nullable(),
    /** An import noted this number. Nothing is sent to it before the person confirms it. */
    unconfirmedPhone: z.string().nullable(),
  }),
});

export const saveNotificationPreferences = endpoint({
  name: 'saveNotificationPreferences',
  method: 'PUT',
  path: '/api/preferences/notifications',
  access: 'notices.own',
  summary: 'Saves all eight choices of the signed-in person.',
  body: NotificationPreferences,
  response: NotificationPreferences,
});

export const Notice = z.object({
  id: Id,
  kind: z.string(),
  title: z.string(),
  message: z.string(),
  /** A path of the product. Null if there is nothing to open. */
  link: z.string().nullable(),
  createdAt: Instant,
  /** How many unread ones about the same matter it took the place of. */
  earlierCount: z.number().int(),
  isRead: z.boolean(),
});
export type Notice = z.infer<typeof Notice>;

export const listNotices = endpoint({
  name: 'listNotices',
  method: 'GET',
  path: '/api/notices',
  access: 'notices.own',
  mayReadReplica: true,
  summary: 'What the signed-in person was told, newest first, by pages.',
  shows: ['notices'],
  query: z.object({ cursor: Id.optional() }),
  response: pageOf(Notice),
});

export const markNoticeRead = endpoint({
  name: 'markNoticeRead',
  method: 'POST',
  path: '/api/notices/:id/read',
  access: 'notices.own',
  summary: 'Marks one notice of the signed-in person as read.',
  params: IdParams,
  response: Done,
});

export const markAllNoticesRead = endpoint({
  name: 'markAllNoticesRead',
  method: 'POST',
  path: '/api/notices/read',
  access: 'notices.own',
  summary: 'Marks every notice up to the newest one shown as read; one that comes meanwhile stays unread.',
  body: z.object({ upToId: Id }),
  response: Done,
});
