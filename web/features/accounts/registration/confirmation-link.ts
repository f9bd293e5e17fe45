import { z } from 'zod';

const Claims = z.object({ email: z.email() });

/** The token in the part behind # of a confirmation link, and whose address it confirms; null when it is no such link. */
export function readConfirmationLink(hash: string): { token: string; email: string } | null {
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  const claims = Claims.safeParse(contentOf(token.split('.')[1] ?? ''));
  return claims.success ? { token, email: claims.data.email } : null;
}

/** Null for what is no base64url of JSON: the server would refuse it too. */
function contentOf(part: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
