import {
  changePassword,
  checkPasswordLink,
  createFirstAdmin,
  readSession,
  requestPasswordReset,
  setPassword,
  signIn,
  signOut,
} from '#contract/accounts.ts';
import { createAdminUser, syncAuthProfiles } from '#contract/documented-functions.ts';
import { confirmRegistration, register, resendConfirmation } from '#contract/registration.ts';
import { readSessionView } from '#server/features/accounts/account-queries.ts';
import {
  changeOwnPassword,
  checkLink,
  requestReset,
  setPasswordByLink,
} from '#server/features/accounts/passwords/passwords.ts';
import {
  createAdminByFunction,
  syncProfilesByFunction,
} from '#server/features/accounts/registration/account-functions.ts';
import { confirmByLink } from '#server/features/accounts/registration/confirmation.ts';
import { makeFirstAdmin } from '#server/features/accounts/registration/first-admin.ts';
import { registerPerson, sendConfirmationAgain } from '#server/features/accounts/registration/registration.ts';
import { signOutHere } from '#server/features/accounts/sessions/sessions.ts';
import { signInByPassword } from '#server/features/accounts/ways-in/sign-in.ts';
import type { App } from '#server/platform/app-parts.ts';
import { AppError } from '#server/platform/errors.ts';
import { serve } from '#server/platform/serve.ts';
import { endedSessionCookie, hasBearer, isBrowser, readRoleCookie, roleCookie } from '#server/sign-in/auth-cookie.ts';
import { sendRenewedSessions } from '#server/sign-in/session-identity.ts';

export function accountRoutes(app: App): void {
  sendRenewedSessions(app);
  serve(app, signOut, async ({ db, request, reply }) => {
    await signOutHere(db, request);
    const { publicUrl } = app.config;
    reply.header('set-cookie', endedSessionCookie(publicUrl));
    if (readRoleCookie(request, publicUrl)) reply.header('set-cookie', roleCookie(null, publicUrl));
    // "storage" is not cleared, because the work that waits there to be sent is its person's (forget-person.ts).
    // "cookies" are not cleared, so that the device is known again.
    reply.header('clear-site-data', '"cache"');
    return { success: true };
  });

  serve(app, readSession, async ({ db, request, reply }) => {
    const identity = request.identity ?? (await app.sessions.identify(request));
    const isNobody = !identity.actor && !identity.pending;
    if (isNobody && hasBearer(request)) throw new AppError('not_authenticated', 'Not authenticated');
    const view = await readSessionView({ ...app, db }, identity);
    const mayRead = !view.mustChangePassword && !view.mustSetUpSecondFactor;
    const role = mayRead ? (view.user?.role ?? null) : null;
    const { publicUrl } = app.config;
    if (isBrowser(request) && readRoleCookie(request, publicUrl) !== role) {
      reply.header('set-cookie', roleCookie(role, publicUrl));
    }
    return view;
  });
  serve(app, signIn, (context) => signInByPassword(context, context.body));
  serve(app, register, ({ request, body }) => registerPerson(app, request, body));
  serve(app, confirmRegistration, (context) => confirmByLink(context, context.body));
  serve(app, resendConfirmation, async ({ request, body }) => {
    await sendConfirmationAgain(app, request, body.email);
    return { status: true as const };
  });
  serve(app, requestPasswordReset, async ({ request, body }) => {
    await requestReset(app, request, body.email);
    return { status: true as const };
  });
  serve(app, checkPasswordLink, ({ request, body }) => checkLink(app, request, body.token));
  serve(app, setPassword, async ({ request, body }) => {
    await setPasswordByLink(app, request, body.token, body.newPassword);
    return { done: true as const };
  });
  serve(app, changePassword, async ({ request, actor, body }) => {
    await changeOwnPassword(app, request, actor, body);
    return { done: true as const };
  });
  serve(app, createFirstAdmin, async ({ request, body: { token, ...admin } }) => {
    await makeFirstAdmin(app, request, token, admin);
    return { done: true as const };
  });
  serve(app, createAdminUser, ({ db, actor, body }) => createAdminByFunction(db, actor, body));
  serve(app, syncAuthProfiles, ({ db, actor }) => syncProfilesByFunction(db, actor));
}
