import { forgetUnsent } from '../features/messages/unsent.ts';
import { endPush } from '../features/notices/browser-push.ts';
import { forgetSavedDrafts } from '../features/submissions/draft-copies.ts';

/** On a device that others use only what nobody else has stays of a person who signs out. */
export function forgetPerson(userId: string): void {
  forgetUnsent(userId);
  forgetSavedDrafts(userId);
  void endPush();
}
