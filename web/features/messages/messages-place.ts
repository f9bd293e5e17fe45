import { useNavigate, useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import { paths } from '../../app/paths.ts';

/** What the address of the screen holds. A value that means nothing there counts as absent. */
const MessagesPlace = z.object({
  /** The contact whose conversation, or for admins whose conversations, are shown. */
  with: z.uuid().optional().catch(undefined),
  q: z.coerce.string().max(200).optional().catch(undefined),
  /** For admins: the opening by which a conversation is read. */
  opening: z.uuid().optional().catch(undefined),
});
type MessagesPlace = z.infer<typeof MessagesPlace>;

export function useMessagesPlace() {
  const place = MessagesPlace.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (changes: Partial<MessagesPlace>, options: { replace?: boolean } = {}) =>
    void navigate({
      to: paths.messages,
      search: (before: object) => ({ ...before, ...changes }),
      replace: options.replace ?? false,
      resetScroll: false,
    });
  return { place, change };
}
