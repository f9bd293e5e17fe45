import { z } from 'zod';
import { Day, endpoint, Id, IdParams } from './endpoint.ts';
import { contentTypes } from './learning.ts';
import { unlessTooBig } from './validation-words.ts';
import { isWebAddress } from './web-address.ts';
import { canBeFormatted, tooIntricate } from './written-text.ts';

/** CONT-30 */
export const assignmentTypes = [
  'written_response',
  'project_submission',
  'upload_certificate',
  'link_task',
  'read_material',
  'watch_video',
] as const;

export const missingContentTitle = 'Title is required';
export const wrongOrder = 'Order must be a whole number of at least 1';
export const wrongMinutes = 'Estimated minutes must be a whole number of at least 1';
export const missingLink = 'A link task needs its URL';
export const wrongUrl = 'The URL must be a web address that begins with http:// or https://';
export const missingContentItem = 'Please choose a content item';
export const missingInstructions = 'Instructions are required';

const largestNumber = 10_000;
const title = z.string(unlessTooBig(missingContentTitle)).trim().min(1, missingContentTitle).max(300);

/** The facts of a content item that an admin writes (CONT-08 to CONT-19). An empty field is null. */
export const ContentInput = z
  .object({
    title,
    contentType: z.enum(contentTypes),
    orderIndex: z.int(unlessTooBig(wrongOrder)).min(1, wrongOrder).max(largestNumber),
    estimatedMinutes: z.int(unlessTooBig(wrongMinutes)).min(1, wrongMinutes).max(largestNumber),
    isRequired: z.boolean(),
    contentUrl: z.string().trim().max(2000).refine(isWebAddress, wrongUrl).nullable(),
    contentText: z.string().max(50_000).refine(canBeFormatted, tooIntricate).nullable(),
    dueDate: Day.nullable(),
    /** The admin's own finished upload, or the file that the item already has. */
    fileId: Id.nullable(),
  })
  .refine(({ contentType, contentUrl }) => contentType !== 'link_task' || contentUrl, {
    path: ['contentUrl'],
    message: missingLink,
  });
export type ContentInput = z.infer<typeof ContentInput>;

/** CONT-28 to CONT-31 */
export const AssignmentInput = z.object({
  contentItemId: z.uuid(missingContentItem),
  title,
  instructions: z
    .string(unlessTooBig(missingInstructions))
    .trim()
    .min(1, missingInstructions)
    .max(20_000)
    .refine(canBeFormatted, tooIntricate),
  assignmentType: z.enum(assignmentTypes),
  dueDate: Day.nullable(),
  isRequired: z.boolean(),
});
export type AssignmentInput = z.infer<typeof AssignmentInput>;

export const ManagedAssignment = z.object({
  id: Id,
  contentItemId: Id,
  title: z.string(),
  instructions: z.string(),
  assignmentType: z.enum(assignmentTypes),
  dueDate: Day.nullable(),
  isRequired: z.boolean(),
  /** They count work that was handed in, and work that was begun. A deletion would keep both. */
  submissions: z.number().int(),
  drafts: z.number().int(),
  version: z.number().int(),
});
export type ManagedAssignment = z.infer<typeof ManagedAssignment>;

export const ManagedContent = z.object({
  id: Id,
  title: z.string(),
  contentType: z.enum(contentTypes),
  orderIndex: z.number().int(),
  estimatedMinutes: z.number().int(),
  isRequired: z.boolean(),
  contentUrl: z.string().nullable(),
  contentText: z.string().nullable(),
  dueDate: Day.nullable(),
  file: z.object({ id: Id, name: z.string(), size: z.number().int() }).nullable(),
  /** Counts the people who have marked it as done. */
  ticks: z.number().int(),
  version: z.number().int(),
  assignments: z.array(ManagedAssignment),
});
export type ManagedContent = z.infer<typeof ManagedContent>;

/** True if people had worked on it, so that it was archived instead of deleted. */
const Removed = z.object({ isArchived: z.boolean() });
/** All ids in their new order. The act refuses them as stale if one has come or gone. */
const NewOrder = z.object({ ids: z.array(Id).min(1).max(1000) });

export const listContents = endpoint({
  name: 'listContents',
  method: 'GET',
  path: '/api/training-activities/:id/contents',
  access: 'content.manage',
  summary: 'The content items of an activity in their order, each with its assignments and what hangs on them.',
  shows: ['training', 'submissions'],
  params: IdParams,
  response: z.object({ items: z.array(ManagedContent) }),
});

export const createContent = endpoint({
  name: 'createContent',
  method: 'POST',
  path: '/api/training-activities/:id/contents',
  access: 'content.manage',
  summary: 'Adds a content item to an activity, with a file that was uploaded into the area content.',
  params: IdParams,
  body: ContentInput,
  response: ManagedContent,
});

export const orderContents = endpoint({
  name: 'orderContents',
  method: 'PUT',
  path: '/api/training-activities/:id/content-order',
  access: 'content.manage',
  summary: 'Puts the content items of an activity into another order.',
  params: IdParams,
  body: NewOrder,
  response: z.object({ items: z.array(ManagedContent) }),
});

export const updateContent = endpoint({
  name: 'updateContent',
  method: 'PUT',
  path: '/api/content-items/:id',
  access: 'content.manage',
  summary: 'Writes a content item anew; refused as stale when somebody else has changed it since it was read.',
  params: IdParams,
  body: ContentInput.safeExtend({ version: z.number().int() }),
  response: ManagedContent,
});

export const deleteContent = endpoint({
  name: 'deleteContent',
  method: 'DELETE',
  path: '/api/content-items/:id',
  access: 'content.manage',
  summary: 'Removes a content item and its assignments; what work hangs on is archived with it, never destroyed.',
  params: IdParams,
  response: Removed,
});

export const createContentAssignment = endpoint({
  name: 'createContentAssignment',
  method: 'POST',
  path: '/api/content-assignments',
  access: 'content.manage',
  summary: 'Adds an assignment to a content item, after those that it has.',
  body: AssignmentInput,
  response: ManagedAssignment,
});

export const orderContentAssignments = endpoint({
  name: 'orderContentAssignments',
  method: 'PUT',
  path: '/api/content-items/:id/assignment-order',
  access: 'content.manage',
  summary: 'Puts the assignments of a content item into another order.',
  params: IdParams,
  body: NewOrder,
  response: z.object({ assignments: z.array(ManagedAssignment) }),
});

export const updateContentAssignment = endpoint({
  name: 'updateContentAssignment',
  method: 'PUT',
  path: '/api/content-assignments/:id',
  access: 'content.manage',
  summary:
    'Writes an assignment anew, also below another content item of its activity; refused as stale when it has changed.',
  params: IdParams,
  body: AssignmentInput.extend({ version: z.number().int() }),
  response: ManagedAssignment,
});

export const deleteContentAssignment = endpoint({
  name: 'deleteContentAssignment',
  method: 'DELETE',
  path: '/api/content-assignments/:id',
  access: 'content.manage',
  summary: 'Removes an assignment; one with work handed in or begun is archived instead.',
  params: IdParams,
  response: Removed,
});
