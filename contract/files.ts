import { z } from 'zod';
import { endpoint, Id, IdParams } from './endpoint.ts';
import type { Permission } from './roles.ts';
import { submissionFile } from './submissions.ts';

const mebibyte = 1024 * 1024;
export const imageExtensions = ['jpg', 'jpeg', 'png', 'gif', 'bmp', 'webp', 'svg'];

export const uploadAreaNames = ['submissions', 'my_files', 'messages', 'content'] as const;
export type UploadArea = (typeof uploadAreaNames)[number];

export interface UploadRule {
  /** They are in lower case, without the dot. */
  extensions: string[];
  /** A file of exactly this size is accepted. */
  maxBytes: number;
  permission: Permission;
}

/** Says what people may upload where, and who may: ASSIGN-10, ASSIGN-11, FILES-06, FILES-07. */
export const uploadAreas: Record<UploadArea, UploadRule> = {
  submissions: { ...submissionFile, permission: 'assignments.submit' },
  my_files: {
    extensions: ['pdf', 'doc', 'docx', 'txt', ...imageExtensions, 'mp4', 'mov', 'zip', 'rar'],
    maxBytes: 50 * mebibyte,
    permission: 'files.own',
  },
  messages: {
    extensions: ['pdf', 'doc', 'docx', 'txt', ...imageExtensions],
    maxBytes: 50 * mebibyte,
    permission: 'messages.send',
  },
  content: {
    extensions: ['pdf', 'doc', 'docx', 'mp4', 'mov', 'avi', ...imageExtensions],
    maxBytes: 100 * mebibyte,
    permission: 'content.manage',
  },
};

/** Returns it in lower case, without the dot. It is empty if the name has none. */
export function extensionOf(fileName: string): string {
  return /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
}

/** For the `accept` of a field. What a device lets through all the same is refused by `refuseUpload`. */
export function acceptedBy(area: UploadArea): string {
  const extensions = uploadAreas[area].extensions.map((extension) => `.${extension}`);
  // Phones offer their camera only for this.
  return [...extensions, ...(takesPhotos(area) ? ['image/*'] : [])].join(',');
}

export function takesPhotos(area: UploadArea): boolean {
  return uploadAreas[area].extensions.includes('jpg');
}

export type UploadRefusal = { code: 'too_large' | 'unsupported_type' | 'invalid_input'; message: string };

/** Returns why a file of this name and size may not be uploaded into this area, or null. */
export function refuseUpload(area: UploadArea, fileName: string, size: number): UploadRefusal | null {
  const { extensions, maxBytes } = uploadAreas[area];
  if (!extensions.includes(extensionOf(fileName))) {
    const message = `File type not allowed. Please choose one of: ${extensions.join(', ')}.`;
    return { code: 'unsupported_type', message };
  }
  if (size > maxBytes) return { code: 'too_large', message: `File size must be less than ${maxBytes / mebibyte}MB` };
  if (size < 1) return { code: 'invalid_input', message: 'This file is empty.' };
  return null;
}

/**
 * Uploads speak the tus 1.0 protocol, with metadata `filename` and `area`. The last part of the Location is the file's
 * id.
 */
export const createUpload = endpoint({
  name: 'createUpload',
  method: 'POST',
  path: '/api/uploads',
  access: 'files.upload',
  binary: { 201: [] },
  summary: 'Begins a resumable upload (tus 1.0) with the metadata filename and area.',
  response: z.string(),
});

export const continueUpload = endpoint({
  name: 'continueUpload',
  method: 'PATCH',
  path: '/api/uploads/:id',
  access: 'files.upload',
  binary: { 204: [] },
  summary: 'Sends the next bytes of an own upload (tus 1.0). HEAD of the same address tells where to go on.',
  params: IdParams,
  response: z.string(),
});

export const cancelUpload = endpoint({
  name: 'cancelUpload',
  method: 'DELETE',
  path: '/api/uploads/:id',
  access: 'files.upload',
  binary: { 204: [] },
  summary: 'Gives up an own upload that is not finished (tus 1.0).',
  params: IdParams,
  response: z.string(),
});

export const downloadFile = endpoint({
  name: 'downloadFile',
  method: 'GET',
  path: '/api/files/:id',
  access: 'files.read',
  binary: { 200: ['*/*'], 206: ['*/*'], 304: [] },
  summary: 'The bytes of a file that the person may see; images and PDF may be shown in place with inline=1.',
  params: z.object({ id: Id }),
  query: z.object({ inline: z.literal('1').optional() }),
  response: z.string(),
});
