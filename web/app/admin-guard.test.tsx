import { expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { answers, called, open, robin, seesHeading, serveScreens, sessionOf } from '#test/support/web-screens.tsx';

serveScreens();

test.each(['participant', 'coach'] as const)(
  'CONT-38 a %s on Content Management sees Access Denied in its words, and nothing of it is read',
  async (role) => {
    answers.set(readSession, () => sessionOf({ ...robin, role }));
    await open('/admin/content-management');
    await seesHeading('Access Denied');
    const screen = document.querySelector('main')?.textContent;
    expect(screen).toContain("You don't have permission to access content management.");
    expect(screen).toContain(`Your role: ${role}. Required: admin.`);
    expect(called.filter(({ path }) => /activit|content/.test(path))).toEqual([]);
  },
);
