import { removeDeviceCopiesOf } from '../api/device-copy.ts';
import { endPush } from '../features/deliveries/browser-push.ts';
import { forgetUnsent, unsentMessages } from '../features/messages/unsent.ts';
import { unsavedDrafts } from '../features/submissions/draft-copies.ts';
import { counted } from '../ui/counted.ts';

/** After a sign-out, nobody else can read anything of the person in this browser. */
export function forgetPerson(userId: string): void {
  forgetUnsent(userId);
  removeDeviceCopiesOf(userId);
  void endPush();
}

/** Says what only this browser has of a person. */
export function lostBySigningOut(userId: string): string[] {
  const messages = unsentMessages(userId);
  const drafts = unsavedDrafts(userId);
  return [
    ...(messages > 0 ? [counted(messages, 'unsent message')] : []),
    ...(drafts > 0 ? [counted(drafts, 'unsaved draft')] : []),
  ];
}
