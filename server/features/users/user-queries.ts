import type { Db } from '#server/db/database.ts';

export async function findAdminIds(db: Db): Promise<string[]> {
  const admins = await db
    .selectFrom('profiles')
    .select('id')
    .where('role', '=', 'admin')
    .where('deletedAt', 'is', null)
    .execute();
  return admins.map(({ id }) => id);
}
