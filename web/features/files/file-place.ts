import { useNavigate, useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import { FileType } from '#contract/user-files.ts';
import { paths } from '../../app/paths.ts';

/** The parts of My Files' address. A value without a meaning there counts as absent. */
const FilePlace = z.object({
  search: z.coerce.string().max(200).optional().catch(undefined),
  type: FileType.optional().catch(undefined),
  file: z.uuid().optional().catch(undefined),
});
export type FilePlace = z.infer<typeof FilePlace>;

export function useFilePlace() {
  const place = FilePlace.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (changes: Partial<FilePlace>, options: { replace?: boolean } = {}) =>
    void navigate({
      to: paths.myFiles,
      search: (before: object) => ({ ...before, ...changes }),
      replace: options.replace ?? false,
      resetScroll: false,
    });
  return { place, change };
}
