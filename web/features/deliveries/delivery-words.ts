import type { DeliveryChannel } from '#contract/deliveries.ts';

export const channelWords: Record<DeliveryChannel, string> = { mail: 'Email', push: 'Push', sms: 'SMS' };

/** 'password_reset' becomes 'Password reset'. */
export function kindInWords(kind: string): string {
  const words = kind.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
