import type { readSession } from '#contract/accounts.ts';
import type { ResponseOf } from '#contract/endpoint.ts';

/** What this browser keeps of how the dashboard looked that it showed last, in base64. */
export interface KeptPicture {
  nonce: string;
  sealed: string;
}

/** The session and the dashboard that a picture shows, as the server answered them. */
export type Shown = readonly [session: ResponseOf<typeof readSession>, dashboard: object];

/** The rest of a key is the id of its person. So it goes when they sign out. */
export const picturePrefix = 'switchyard.picture.';

/** The address of the app's file, as the page names it. Every build has another one. */
export const appFile = document.querySelector<HTMLScriptElement>('script[data-app]')?.dataset.app ?? '';

const cipher = 'AES-GCM';
const nonceBytes = 12;

/** Browsers seal for https and for their own machine only, and may block what pages keep. */
export function canKeep(): boolean {
  try {
    return 'subtle' in crypto && localStorage !== null;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}

export async function sealPicture(html: string, shown: Shown): Promise<KeptPicture> {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const sealed = await crypto.subtle.encrypt(
    { name: cipher, iv: nonce, additionalData: new TextEncoder().encode(boundTo(shown)) },
    await keyOf(shown),
    new TextEncoder().encode(html),
  );
  return { nonce: toBase64(nonce), sealed: toBase64(new Uint8Array(sealed)) };
}

/** Null if it was sealed in another session, or shows other answers, or if another build or look would draw it anew. */
export async function openPicture({ nonce, sealed }: KeptPicture, shown: Shown): Promise<string | null> {
  try {
    const html = await crypto.subtle.decrypt(
      { name: cipher, iv: fromBase64(nonce), additionalData: new TextEncoder().encode(boundTo(shown)) },
      await keyOf(shown),
      fromBase64(sealed),
    );
    return new TextDecoder().decode(html);
  } catch (error) {
    if (isRefusalToOpen(error)) return null;
    throw error;
  }
}

/** What is no base64, no key, or sealed for something else. */
function isRefusalToOpen(error: unknown): boolean {
  return ['InvalidCharacterError', 'DataError', 'OperationError'].includes((error as Error).name);
}

export function shownColorScheme(): string {
  const chosen = localStorage.getItem('mantine-color-scheme-value');
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** All that a picture depends on, in words. The server's clock goes on, and so does the end of the session. */
export function boundTo([session, dashboard]: Shown): string {
  const timeless = { ...session, serverTime: null, expiresAt: null };
  const look = [innerWidth, shownColorScheme(), new Date().toDateString(), ...looksOfTheBrowser()];
  return JSON.stringify([appFile, look, timeless, dashboard]);
}

/** How this browser shows the frame, whoever is signed in. Keys that name a person have a second dot. */
function looksOfTheBrowser(): string[] {
  const names = Object.keys(localStorage).filter((key) => /^switchyard\.[^.]+$/.test(key));
  return names.toSorted().map((name) => `${name}=${localStorage.getItem(name)}`);
}

function keyOf([{ deviceKey }]: Shown): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', fromBase64(deviceKey ?? ''), cipher, false, ['encrypt', 'decrypt']);
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  // A picture has nearly a hundred thousand. Uint8Array.from takes four times as long.
  for (let place = 0; place < letters.length; place += 1) bytes[place] = letters.charCodeAt(place);
  return bytes;
}
