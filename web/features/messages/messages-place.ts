import { useNavigate, useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import { paths } from '../../app/paths.ts';

/** The parts of the screen's address. A value without a meaning there counts as absent. */
const MessagesPlace = z.object({
  /** The contact whose conversation is shown. For an admin, the person whose conversations are listed. */
  with: z.uuid().optional().catch(undefined),
  q: z.coerce.string().max(200).optional().catch(undefined),
  /** For an admin: the opening through which they read a conversation. */
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
