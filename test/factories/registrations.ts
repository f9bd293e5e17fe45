import type { InputOf } from '#contract/endpoint.ts';
import { register } from '#contract/registration.ts';
import { newId } from '#server/platform/ids.ts';
import type { TestApp } from '#test/support/app.ts';

type Registration = InputOf<typeof register>['body'];

/** The form of a person who registers as a participant. */
export function registrationOf(facts: Partial<Registration> = {}): Registration {
  return {
    firstName: 'Robin',
    lastName: 'Reyes',
    email: `new-${newId()}@people.example`,
    password: 'turbin',
    requestedRole: 'participant',
    trackType: 'fellowship',
    ...facts,
  };
}

/** A person who registered and has not confirmed the address. */
export async function buildRegistration(server: Pick<TestApp, 'as'>, facts: Partial<Registration> = {}) {
  const body = registrationOf(facts);
  const { user } = await (await server.as(null)).call(register, { body });
  return { ...body, id: user.id };
}
