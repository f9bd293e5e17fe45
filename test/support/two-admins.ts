import { type BuiltPerson, buildAdmin } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from './app.ts';

/** An app with two admins, Ada and Bea, who are signed in. */
export async function startAppOfTwo(): Promise<{
  app: TestApp;
  ada: BuiltPerson;
  bea: BuiltPerson;
  asAda: Client;
  asBea: Client;
}> {
  const app = await startTestApp();
  const ada = await buildAdmin(app.db);
  const bea = await buildAdmin(app.db, { firstName: 'Bea', lastName: 'Board' });
  return { app, ada, bea, asAda: await app.as(ada), asBea: await app.as(bea) };
}
