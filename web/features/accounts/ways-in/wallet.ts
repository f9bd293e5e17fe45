import { z } from 'zod';

/** EIP-1193: what wallets put into the browser. */
interface EthereumProvider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>;
}

/** The wallet in this browser, if there is one. */
export function findWallet(): EthereumProvider | null {
  return (window as { ethereum?: EthereumProvider }).ethereum ?? null;
}

/** The address that the person picks in their wallet. Throws when they refuse. */
export async function walletAddress(): Promise<string> {
  const [address] = z
    .array(z.string())
    .min(1)
    .parse(await ask('eth_requestAccounts'));
  return address ?? '';
}

/** Throws when the person refuses. */
export async function signWithWallet(message: string, address: string): Promise<string> {
  const bytes = new TextEncoder().encode(message);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return z.string().parse(await ask('personal_sign', [`0x${hex}`, address]));
}

function ask(method: string, params?: unknown[]): Promise<unknown> {
  const wallet = findWallet();
  if (!wallet) throw new Error('There is no wallet in this browser.');
  return wallet.request(params ? { method, params } : { method });
}
