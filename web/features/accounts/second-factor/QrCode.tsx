import { encode } from 'uqr';

const border = 4;

/** Always dark on white, as cameras expect it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data } = encode(text, { ecc: 'M', border });
  const size = data.length;
  const modules = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={220}
      height={220}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      style={{ maxWidth: '100%', borderRadius: 8, border: '1px solid var(--mantine-color-default-border)' }}
    >
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="#ffffff" />
      <path d={modules} fill="#10151c" />
    </svg>
  );
}
