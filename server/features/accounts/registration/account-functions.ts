import type { Db } from '#server/db/database.ts';
import { createAdmin, type NewAdmin } from '#server/features/accounts/registration/first-admin.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { AppError } from '#server/platform/errors.ts';
import { changed } from '#server/platform/telling.ts';
import { createMissingProfiles } from '#server/sign-in/missing-profiles.ts';

/** SUPER-11: if the email has an account, the answer has `error`, as the documented function does. */
export async function createAdminByFunction(db: Db, actor: Actor, admin: NewAdmin) {
  try {
    await createAdmin(db, actor.id, admin);
    return { success: true, error: null };
  } catch (error) {
    if (error instanceof AppError && error.code === 'duplicate') return { success: false, error: error.message };
    throw error;
  }
}

export async function syncProfilesByFunction(db: Db, actor: Actor) {
  const created = await createMissingProfiles(db, 'all');
  await changed(db, 'people', []);
  await audit(
    db,
    actor.id,
    created.map((id) => ({ action: 'profile.create', subjectType: 'user', subjectId: id })),
  );
  return { success: true, results: { createdProfiles: created.length }, error: null };
}
