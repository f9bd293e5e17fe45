import { houseZone } from '#contract/house-zone.ts';
import { momentIn } from '#contract/moments.ts';
import { mailTemplate } from '#server/platform/mail-template.ts';
import type { Mail, SecretMail } from '#server/platform/mailer.ts';

export interface MailReader {
  id: string;
  email: string;
  firstName: string;
}

export function confirmationMail(reader: MailReader, link: string): SecretMail {
  return {
    holdsSecret: true,
    ...to(reader, 'confirm_email', 'Confirm your email address'),
    ...mailTemplate({
      greeting: greetNobody,
      paragraphs: [
        'Welcome to Switchyard. Confirm your email address, then you can sign in. The link works for 24 hours.',
        'If you did not register, you can ignore this email: nobody can use the account.',
      ],
      action: { label: 'Confirm email address', url: link },
    }),
  };
}

export function alreadyRegisteredMail(reader: MailReader, publicUrl: string): Mail {
  return {
    ...to(reader, 'already_registered', 'You already have an account'),
    ...mailTemplate({
      greeting: greet(reader),
      paragraphs: [
        'Somebody, probably you, tried to register with this email address. It already has an account.',
        `Sign in with it as before. If you do not know your password, set a new one: ${publicUrl}/password-reset`,
      ],
      action: { label: 'Sign in', url: `${publicUrl}/login` },
    }),
  };
}

export function resetMail(reader: MailReader, link: string): SecretMail {
  return {
    holdsSecret: true,
    ...to(reader, 'password_reset', 'Set a new password'),
    ...mailTemplate({
      greeting: greet(reader),
      paragraphs: [
        'You asked to set a new password for Switchyard. The link works once and for 1 hour.',
        'If you did not ask for it, you can ignore this email: your password stays the same.',
      ],
      action: { label: 'Set a new password', url: link },
    }),
  };
}

export function invitationMail(reader: MailReader, link: string): SecretMail {
  return {
    holdsSecret: true,
    ...to(reader, 'invitation', 'Your Switchyard account'),
    ...mailTemplate({
      greeting: greet(reader),
      paragraphs: [
        'An account was made for you on Switchyard. Choose your password, then you can sign in.',
        'The link works once and for 7 days. After that, ask for a new one under "Forgot your password?" on the sign-in page.',
      ],
      action: { label: 'Choose your password', url: link },
    }),
  };
}

/**
 * Goes out instead of another invitation, because only an admin may invite coaches and admins again after theirs
 * expired.
 */
export function invitationExpiredMail(reader: MailReader): Mail {
  return {
    ...to(reader, 'invitation_expired', 'Your invitation has expired'),
    ...mailTemplate({
      greeting: greet(reader),
      paragraphs: ['Your invitation to Switchyard has expired. Please ask an admin of your program for a new one.'],
    }),
  };
}

export function passwordChangedMail(reader: MailReader, publicUrl: string): Mail {
  return {
    ...to(reader, 'password_changed', 'Your password was changed'),
    ...mailTemplate({
      greeting: greet(reader),
      paragraphs: [
        'The password of your Switchyard account was just changed, and your other devices were signed out.',
        `If this was not you, set a new password at once: ${publicUrl}/password-reset`,
      ],
    }),
  };
}

interface DeviceNews {
  device: string;
  place: string;
  /** The moment of the sign-in. */
  at: Date;
}

/** Tells of a sign-in on a new device that waits for the second factor. */
export function begunSignInMail(reader: MailReader, { device, place, at }: DeviceNews, publicUrl: string): Mail {
  return {
    ...to(reader, 'new_device', 'Sign-in started on a new device'),
    ...mailTemplate({
      greeting: greet(reader),
      paragraphs: [
        'Somebody used your password, or another way to sign in to your Switchyard account, on a new device. They have not entered the second factor, so they are not signed in.',
        `Device: ${device}. Place: ${place}. Time: ${momentIn(at, houseZone)}.`,
        'If this was you, all is well. If not, somebody else may know your password: change it at once.',
      ],
      action: { label: 'Sign-in and security', url: `${publicUrl}/account/security` },
    }),
  };
}

export function newDeviceMail(reader: MailReader, { device, place, at }: DeviceNews, publicUrl: string): Mail {
  return {
    ...to(reader, 'new_device', 'New device signed in to your account'),
    ...mailTemplate({
      greeting: greet(reader),
      paragraphs: [
        'Somebody signed in to your Switchyard account on a new device.',
        `Device: ${device}. Place: ${place}. Time: ${momentIn(at, houseZone)}.`,
        'If this was you, all is well. If not, end that session under "Sign-in and security" and change your password at once.',
      ],
      action: { label: 'Sign-in and security', url: `${publicUrl}/account/security` },
    }),
  };
}

interface NewAdminNews {
  name: string;
  email: string;
  giverName: string;
}

export function newAdminMail(reader: MailReader, { name, email, giverName }: NewAdminNews, publicUrl: string): Mail {
  return {
    ...to(reader, 'new_admin', `${name} is an admin now`),
    ...mailTemplate({
      greeting: greet(reader),
      paragraphs: [
        `${giverName} made ${name} (${email}) an admin of Switchyard. They cannot approve stipends for 7 days.`,
        'If nobody should have done this, take the role away in User Management and ask the other admins.',
      ],
      action: { label: 'Open User Management', url: `${publicUrl}/admin/user-management` },
    }),
  };
}

export function roleDecisionMail(reader: MailReader, title: string, message: string, publicUrl: string): Mail {
  return {
    ...to(reader, 'role_request', title),
    ...mailTemplate({
      greeting: greet(reader),
      paragraphs: [message],
      action: { label: 'Open Switchyard', url: `${publicUrl}/dashboard` },
    }),
  };
}

function to(reader: MailReader, kind: string, subject: string) {
  return { kind, recipientId: reader.id, address: reader.email, subject };
}

/** Used until somebody has confirmed that the address is theirs. Until then a stranger may have typed the name. */
export const greetNobody = 'Hello,';

function greet(reader: MailReader): string {
  return reader.firstName ? `Hello ${reader.firstName},` : greetNobody;
}
