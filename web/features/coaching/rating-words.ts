import { Rating } from '#contract/coaching.ts';

/** '3.5', or empty if nobody rated. */
export function ratingText(rating: number | null): string {
  return rating?.toFixed(1) ?? '';
}

/** '4', '4.5', '4,5' and '45' are ratings. Null for anything else. */
export function ratingFrom(text: string): number | null {
  const typed = text.trim().replace(',', '.');
  if (!/^[1-5](\.?[05])?$/.test(typed)) return null;
  const value = Number(typed.length === 2 ? `${typed[0]}.${typed[1]}` : typed);
  return Rating.safeParse(value).success ? value : null;
}
