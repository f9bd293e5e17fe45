const units = ['bytes', 'KB', 'MB', 'GB'];

/** '50 MB', '1.5 KB'. Units are powers of 1024. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  if (bytes === 1) return '1 byte';
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${units[power]}`;
}
