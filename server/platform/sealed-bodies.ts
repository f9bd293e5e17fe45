import { openText, type Secrets, sealText } from './secret-box.ts';

interface Body {
  text: string;
  html: string | null;
}

/** The body as a delivery keeps it. */
interface KeptBody {
  id: string;
  isSealed: boolean;
  textBody: string;
  htmlBody: string | null;
}

/** A body sealed for one delivery opens for no other. */
export function sealBody(secrets: Secrets, deliveryId: string, { text, html }: Body): Body {
  const purpose = purposeOf(deliveryId);
  return { text: sealText(secrets, purpose, text), html: html === null ? null : sealText(secrets, purpose, html) };
}

/** Throws with a reason if another AUTH_SECRET sealed the body. An emptied body stays empty. */
export function openBody(secrets: Secrets, { id, isSealed, textBody, htmlBody }: KeptBody): Body {
  if (!isSealed || textBody === '') return { text: textBody, html: htmlBody };
  try {
    const open = (sealed: string) => openText(secrets, purposeOf(id), sealed);
    return { text: open(textBody), html: htmlBody === null ? null : open(htmlBody) };
  } catch (cause) {
    throw new Error('It was sealed with another AUTH_SECRET and cannot be read any more.', { cause });
  }
}

function purposeOf(deliveryId: string): string {
  return `delivery:${deliveryId}`;
}
