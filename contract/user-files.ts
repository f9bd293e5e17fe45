import { z } from 'zod';
import { Cursor, Done, endpoint, Id, IdParams, Instant, pageOf, SearchText } from './endpoint.ts';
import { imageExtensions } from './files.ts';

/** FILES-04: archives are under no type but 'all'. */
export const extensionsOfType = {
  documents: ['pdf', 'doc', 'docx', 'txt'],
  images: imageExtensions,
  videos: ['mp4', 'mov'],
} as const satisfies Record<string, readonly string[]>;

export const fileTypes = ['all', 'documents', 'images', 'videos'] as const;
export const FileType = z.enum(fileTypes);
export type FileType = z.infer<typeof FileType>;

export const UserFile = z.object({
  id: Id,
  /** What it is downloaded by. */
  fileId: Id,
  name: z.string(),
  size: z.number().int(),
  mimeType: z.string(),
  uploadedAt: Instant,
  /** A picture or PDF, which the browser may show in place. */
  isShownInPlace: z.boolean(),
});
export type UserFile = z.infer<typeof UserFile>;

const UnfinishedUpload = z.object({ id: Id, name: z.string(), size: z.number().int(), begunAt: Instant });
export type UnfinishedUpload = z.infer<typeof UnfinishedUpload>;

export const listUserFiles = endpoint({
  name: 'listUserFiles',
  method: 'GET',
  path: '/api/user-files',
  access: 'files.own',
  mayReadReplica: true,
  summary: 'The own files of My Files, newest first, with the space that they take.',
  shows: ['files'],
  query: z.object({
    search: SearchText.default(''),
    type: FileType.default('all'),
    cursor: Cursor.optional(),
  }),
  response: pageOf(UserFile).extend({
    /** Of all own files, whatever is searched for. */
    fileCount: z.number().int(),
    /** With what unfinished uploads will take. */
    usedBytes: z.number().int(),
    allowedBytes: z.number().int(),
    unfinished: z.array(UnfinishedUpload),
  }),
});

export const deleteUserFile = endpoint({
  name: 'deleteUserFile',
  method: 'DELETE',
  path: '/api/user-files/:id',
  access: 'files.own',
  summary: 'Removes an own file from My Files and from the storage.',
  params: IdParams,
  response: Done,
});
