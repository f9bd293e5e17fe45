import { countPeopleWithFormerCodes } from '#server/features/accounts/second-factor/sealed-factor-queries.ts';
import { countUnopenable } from '#server/platform/sealed-columns.ts';
import { type Answer, fault, type Inspected, warning } from './inspected.ts';
import { sealedColumns } from './sealed-by-instance.ts';

/** Whoever has no second factor that can be read does not get in, and no push message goes out. */
export async function lookAtUnopenable({ db, secrets }: Pick<Inspected, 'db' | 'secrets'>): Promise<Answer> {
  const found: string[] = [];
  for (const column of sealedColumns) {
    const count = await countUnopenable(db, secrets, column);
    if (count > 0) found.push(`${column.what} (${count})`);
  }
  if (found.length === 0) return null;
  return fault(
    `AUTH_SECRET is not the one that sealed what is in the database, and this cannot be read: ${found.join(', ')}.`,
    'Set AUTH_SECRET_OLD to the one before it, and restart.',
  );
}

export async function lookAtFormerSecrets({ config, db, secrets }: Inspected): Promise<Answer> {
  const settings = [
    ...(config.formerAuthSecret === null ? [] : ['AUTH_SECRET_OLD']),
    ...(config.stipendWebhook.formerSecret === null ? [] : ['STIPEND_WEBHOOK_SECRET_OLD']),
  ];
  if (settings.length === 0) return null;
  const people = secrets.length > 1 ? await countPeopleWithFormerCodes(db, secrets) : 0;
  const codes = people === 1 ? '1 person has' : `${people.toLocaleString('en-US')} people have`;
  return warning(
    `${settings.join(' and ')} still counts, so whoever knows it has power here.`,
    people === 0
      ? 'Take it out when everybody has changed to the new one.'
      : `Take it out after 30 days. ${codes} recovery codes that end with it.`,
  );
}
