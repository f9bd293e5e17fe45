import { z } from 'zod';
import { Cursor, Done, endpoint, Id, IdParams, pageOf, SearchText } from './endpoint.ts';

/** What a saved comment can leave open, as it is written between braces. A review fills it in. */
export const commentBlanks = ['first name', 'assignment', 'week'] as const;
export type CommentBlank = (typeof commentBlanks)[number];
export type CommentFacts = Record<CommentBlank, string>;

/** Fills in what a saved comment leaves open. Anything else between braces stays as it is written. */
export function filledIn(text: string, facts: CommentFacts): string {
  return text.replace(/\{\s*([^{}]+?)\s*\}/g, (written, name: string) => {
    const blank = commentBlanks.find((known) => known === name.toLowerCase().replace(/\s+/g, ' '));
    return blank ? facts[blank] : written;
  });
}

/** Leaves the participant's first name open in a text, wherever it stands as a word. */
export function withoutName(text: string, firstName: string): string {
  if (firstName.trim() === '') return text;
  const name = firstName.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])${name}(?![\\p{L}\\p{M}\\p{N}])`, 'gu'), '{first name}');
}

export const SavedCommentWords = z.object({
  title: z.string().trim().min(1, 'Please give the comment a title.').max(80),
  text: z.string().trim().min(1, 'Please write the comment.').max(4000),
  /** Coaches and admins all read a shared one. */
  isShared: z.boolean(),
});

export const SavedComment = z.object({
  id: Id,
  title: z.string(),
  text: z.string(),
  isShared: z.boolean(),
  isOwn: z.boolean(),
  /** It is null if the author was deleted. */
  authorName: z.string().nullable(),
  version: z.number().int(),
  can: z.object({ change: z.boolean() }),
});
export type SavedComment = z.infer<typeof SavedComment>;

export const listSavedComments = endpoint({
  name: 'listSavedComments',
  method: 'GET',
  path: '/api/saved-comments',
  access: 'submissions.review',
  summary: "The reviewer's own saved comments, then the shared ones of others, by title.",
  shows: ['comments', 'people'],
  query: z.object({ search: SearchText.optional(), cursor: Cursor.optional() }),
  response: pageOf(SavedComment),
});

export const createSavedComment = endpoint({
  name: 'createSavedComment',
  method: 'POST',
  path: '/api/saved-comments',
  access: 'submissions.review',
  summary: 'Saves a comment for reviews to come, for oneself or for all coaches and admins.',
  body: SavedCommentWords,
  response: SavedComment,
});

export const updateSavedComment = endpoint({
  name: 'updateSavedComment',
  method: 'PUT',
  path: '/api/saved-comments/:id',
  access: 'submissions.review',
  summary: 'Its author, or an admin if it is shared, changes a saved comment or whether it is shared.',
  params: IdParams,
  body: SavedCommentWords.extend({ version: z.number().int() }),
  response: SavedComment,
});

export const deleteSavedComment = endpoint({
  name: 'deleteSavedComment',
  method: 'DELETE',
  path: '/api/saved-comments/:id',
  access: 'submissions.review',
  summary: 'Its author, or an admin if it is shared, removes a saved comment. Reviews that hold its words keep them.',
  params: IdParams,
  response: Done,
});
