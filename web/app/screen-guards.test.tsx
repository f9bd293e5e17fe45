import { expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import type { Role } from '#contract/roles.ts';
import { answers, called, open, robin, seesHeading, serveScreens, sessionOf } from '#test/support/web-screens.tsx';

serveScreens();

const ofAdmins: Record<string, string> = {
  '/admin/bulk-invitations': "Access Denied: You don't have permission to access bulk invitations.",
  '/admin/content-management': "You don't have permission to access content management.",
  '/admin/user-management': "You don't have permission to access user management.",
  '/admin/create-superadmin': 'Only existing administrators can create new superadmin accounts.',
  '/admin/training-management': "You don't have permission to access training management.",
  '/admin/assign-participants': "You don't have permission to access participant assignment.",
  '/admin/resources-management': "You don't have permission to access resources management.",
  '/admin/stipend-management': "You don't have permission to access stipend management.",
};
const ofParticipants = ['/fellowship', '/fellowship-dashboard', '/fellowship/modules'];
const elsewhere: Record<Role, Record<string, string>> = {
  participant: { '/coach': 'coach', '/admin': 'admin', '/admin/programme-setup': 'admin' },
  coach: {
    ...Object.fromEntries(ofParticipants.map((path) => [path, 'participant'])),
    '/admin': 'admin',
    '/admin/programme-setup': 'admin',
  },
  admin: {
    ...Object.fromEntries(ofParticipants.map((path) => [path, 'participant'])),
    '/coach': 'coach',
    '/resources': 'participant or coach',
  },
};

async function expectDenied(role: Role, path: string, words: string[]): Promise<void> {
  answers.set(readSession, () => sessionOf({ ...robin, role }));
  await open(path);
  await seesHeading('Access Denied');
  const screen = document.querySelector('main')?.textContent;
  for (const part of words) expect(screen, `${role} at ${path}`).toContain(part);
  expect(location.pathname).toBe(path);
  const others = called.filter((call) => call.path !== readSession.path);
  expect(others, `${role} at ${path}`).toEqual([]);
}

test.each(Object.entries(elsewhere) as [Role, Record<string, string>][])(
  'ROUTE-08 ROUTE-10 ROUTE-11 ROUTE-14 ROUTE-20 SEC-16 SEC1-02 SEC1-04 SEC1-05 a %s reads why a screen of others does not open, and its data is not asked for',
  async (role, screens) => {
    for (const [path, required] of Object.entries(screens)) {
      await expectDenied(role, path, [`Your role: ${role}. Required: ${required}.`]);
    }
  },
);

test.each(['participant', 'coach'] as const)(
  'ROUTE-15 ROUTE-20 SEC-06 SEC1-01 SEC1-10 SEC1-11 SEC1-12 CONT-38 the screens of admins refuse a %s in words of their own, asking for no data',
  async (role) => {
    for (const [path, words] of Object.entries(ofAdmins)) {
      await expectDenied(role, path, [words, `Your role: ${role}. Required: admin.`]);
    }
  },
);
