import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createAdminUser,
  processBulkInvitations,
  recordAttendance,
  syncAuthProfiles,
} from '#contract/documented-functions.ts';
import { buildParticipant } from './factories/people.ts';
import { startTestApp, type TestApp } from './support/app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

const functions = [processBulkInvitations, recordAttendance, createAdminUser, syncAuthProfiles];

test.each(functions.map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s tells a caller without a session by success and error that it was refused',
  async (_, endpoint) => {
    const nobody = await server.as(null);
    const answer = await nobody.fetch(endpoint.path, request({}));
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({
      success: false,
      error: 'Not authenticated',
      code: 'not_authenticated',
    });
  },
);

test('a function tells by success and error that a role or a body was refused', async () => {
  const participant = await server.as(await buildParticipant(server.db));
  const forbidden = await participant.fetch(createAdminUser.path, request({}));
  expect(await forbidden.json()).toMatchObject({
    status: 403,
    success: false,
    error: expect.stringContaining('admin'),
  });
  const invalid = await participant.fetch(recordAttendance.path, request({ week_number: 'one' }));
  expect(await invalid.json()).toMatchObject({ status: 422, success: false, error: expect.any(String) });
});

function request(body: object): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
