import { z } from 'zod';
import { whoSignedOut } from './session.ts';

/** Returns null if the browser keeps nothing under the key, or if another version of the product wrote it. */
export function readDeviceCopy<Schema extends z.ZodType>(key: string, schema: Schema): z.output<Schema> | null {
  let stored: string | null = null;
  isDone(() => {
    stored = localStorage.getItem(key);
  });
  if (stored === null) return null;
  try {
    return schema.parse(JSON.parse(stored));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

/**
 * Returns false if the browser's storage is full or blocked, or if the copy's person has signed out. So an answer that
 * arrives after the sign-out writes no copy again.
 */
export function writeDeviceCopy(key: string, value: object): boolean {
  const leaverId = whoSignedOut();
  if (leaverId !== null && isOf(leaverId, key)) return false;
  return isDone(() => localStorage.setItem(key, JSON.stringify(value)));
}

export function removeDeviceCopy(key: string): void {
  isDone(() => localStorage.removeItem(key));
}

/** The sign-out calls this. */
export function removeDeviceCopiesOf(userId: string): void {
  for (const key of keysOfDeviceCopies('switchyard.')) if (isOf(userId, key)) removeDeviceCopy(key);
}

export function keysOfDeviceCopies(prefix: string): string[] {
  let keys: string[] = [];
  isDone(() => {
    keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  });
  return keys;
}

/** Every key of a copy names its person between dots. */
function isOf(userId: string, key: string): boolean {
  return key.split('.').includes(userId);
}

function isDone(access: () => void): boolean {
  try {
    access();
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}
