import { mailedCodeMinutes } from '#contract/second-factor.ts';
import { mailTemplate } from '#server/platform/mail-template.ts';
import type { Mail, SecretMail } from '#server/platform/mailer.ts';
import type { MailReader } from '#server/sign-in/sign-in-mails.ts';

export function secondFactorOnMail(reader: MailReader, publicUrl: string): Mail {
  return mailTo(reader, 'second_factor_on', 'Your second factor is on', [
    'Signing in to your Switchyard account now needs a code from your app as well as your password. Your other devices were signed out.',
    ifNotYou(publicUrl),
  ]);
}

export function secondFactorOffMail(reader: MailReader, publicUrl: string): Mail {
  return mailTo(reader, 'second_factor_off', 'Your second factor was turned off', [
    'Signing in to your Switchyard account no longer needs a code. Your other devices were signed out.',
    ifNotYou(publicUrl),
  ]);
}

export function secondFactorRemovedMail(reader: MailReader, publicUrl: string): Mail {
  return mailTo(reader, 'second_factor_removed', 'Your second factor was removed', [
    'An admin removed the second factor of your Switchyard account, and your devices were signed out. Your password signs you in; set up a new second factor then.',
    ifNotYou(publicUrl),
  ]);
}

export function newRecoveryCodesMail(reader: MailReader, publicUrl: string): Mail {
  return mailTo(reader, 'recovery_codes_new', 'You have new recovery codes', [
    'New recovery codes were made for your Switchyard account. The earlier ones no longer work.',
    ifNotYou(publicUrl),
  ]);
}

export function recoveryCodeUsedMail(reader: MailReader, codesLeft: number, publicUrl: string): Mail {
  const left = codesLeft === 1 ? 'One recovery code is' : `${codesLeft} recovery codes are`;
  return mailTo(reader, 'recovery_code_used', 'A recovery code was used', [
    `Somebody just used a recovery code of your Switchyard account. ${left} left.`,
    ifNotYou(publicUrl),
  ]);
}

export function proofCodeMail(reader: MailReader, code: string): SecretMail {
  const mail = mailTo(reader, 'proof_code', 'Your code to confirm it is you', [
    `Your code is ${code}. It works once and for ${mailedCodeMinutes} minutes.`,
    'If you did not ask for it, somebody may be using your account: sign out everywhere and change your password.',
  ]);
  return { ...mail, holdsSecret: true };
}

function ifNotYou(publicUrl: string): string {
  return `If this was not you, set a new password at once: ${publicUrl}/password-reset`;
}

function mailTo(reader: MailReader, kind: string, subject: string, paragraphs: string[]) {
  const greeting = reader.firstName ? `Hello ${reader.firstName},` : 'Hello,';
  return { kind, recipientId: reader.id, address: reader.email, subject, ...mailTemplate({ greeting, paragraphs }) };
}
