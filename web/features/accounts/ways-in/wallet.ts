import { z } from 'zod';

/** Wallets put this into the browser (EIP-1193). */
interface EthereumProvider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>;
}

export function findWallet(): EthereumProvider | null {
  return (window as { ethereum?: EthereumProvider }).ethereum ?? null;
}

/** The address that the person picks in their wallet. Throws if they refuse. */
export async function walletAddress(): Promise<string> {
  const [address] = z
    .array(z.string())
    .min(1)
    .parse(await ask('eth_requestAccounts'));
  return address ?? '';
}

/** Throws if the person refuses. */
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
