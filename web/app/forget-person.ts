import { removeDeviceCopiesOf } from '../api/device-copy.ts';
import { endPush } from '../features/deliveries/browser-push.ts';
import { forgetUnsent, unsentMessages } from '../features/messages/unsent.ts';
import { unsavedDrafts } from '../features/submissions/draft-copies.ts';

/** After a sign-out, nobody else can read anything of the person in this browser. */
export function forgetPerson(userId: string): void {
  forgetUnsent(userId);
  removeDeviceCopiesOf(userId);
  void endPush();
}

/** Says what only this browser has of a person. */
export function lostBySigningOut(userId: string): string[] {
  return [counted(unsentMessages(userId), 'unsent message'), counted(unsavedDrafts(userId), 'unsaved draft')].flat();
}

function counted(count: number, what: string): string[] {
  if (count === 0) return [];
  return [count === 1 ? `1 ${what}` : `${count} ${what}s`];
}
