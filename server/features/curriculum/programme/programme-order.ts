import { AppError } from '#server/platform/errors.ts';

/** Returns the order after the item has changed places with its neighbor. */
export function placeAmong(order: string[], id: string, direction: 'up' | 'down'): string[] {
  const from = order.indexOf(id);
  const to = direction === 'up' ? from - 1 : from + 1;
  if (from < 0 || to < 0 || to >= order.length) {
    throw new AppError('conflict', 'There is nothing further in this direction. Somebody may have changed the order.');
  }
  const others = order.filter((other) => other !== id);
  return [...others.slice(0, to), id, ...others.slice(to)];
}
