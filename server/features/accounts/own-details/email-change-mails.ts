import { mailTemplate } from '#server/platform/mail-template.ts';
import type { Mail, SecretMail } from '#server/platform/mailer.ts';
import { greetNobody, type MailReader } from '#server/sign-in/sign-in-mails.ts';

/** Goes to the new address. */
export function emailChangeMail(reader: MailReader, email: string, link: string): SecretMail {
  return {
    holdsSecret: true,
    kind: 'email_change',
    recipientId: reader.id,
    address: email,
    subject: 'Confirm your new email address',
    ...mailTemplate({
      greeting: greetNobody,
      paragraphs: [
        'You asked to use this email address for your Switchyard account. Confirm it; until then nothing changes.',
        'The link works once and for 1 hour. If you did not ask for it, you can ignore this email.',
      ],
      action: { label: 'Confirm the new address', url: link },
    }),
  };
}

/** Goes to the present address when a person asks for the change. */
export function emailChangeAskedMail(reader: MailReader, email: string, publicUrl: string): Mail {
  return {
    kind: 'email_change_asked',
    recipientId: reader.id,
    address: reader.email,
    subject: 'Somebody asked to change your email address',
    ...mailTemplate({
      greeting: greet(reader),
      paragraphs: [
        `Somebody asked to change the email address of your Switchyard account to ${email}. It changes once that address is confirmed.`,
        `If you did not ask for it, set a new password at once. That stops the change: ${publicUrl}/password-reset`,
      ],
    }),
  };
}

/** Goes to the former address when the change has happened. */
export function emailChangedMail(reader: MailReader, email: string, publicUrl: string): Mail {
  return {
    kind: 'email_changed',
    recipientId: reader.id,
    address: reader.email,
    subject: 'Your email address was changed',
    ...mailTemplate({
      greeting: greet(reader),
      paragraphs: [
        `Your Switchyard account now has the email address ${email}. Sign in with it from now on, on all your devices: ${publicUrl}/login`,
        'We will not email this address again. If you did not change it, tell the people who run your program at once.',
      ],
    }),
  };
}

function greet({ firstName }: MailReader): string {
  return firstName ? `Hello ${firstName},` : 'Hello,';
}
