import { Box } from '@mantine/core';
import { formatBytes } from '../../ui/bytes.ts';
import { Meter } from '../../ui/Meter.tsx';

const nearlyFull = 0.9;

export function SpaceMeter({ usedBytes, allowedBytes }: { usedBytes: number; allowedBytes: number }) {
  const share = usedBytes / allowedBytes;
  return (
    <Box flex={{ base: '1 0 100%', sm: '0 0 240px' }} pb={4}>
      <Meter
        label="Space"
        percentage={100 * share}
        text={`${formatBytes(usedBytes)} of ${formatBytes(allowedBytes)}`}
        {...(share >= nearlyFull ? { isMet: false, note: 'Nearly full: delete what you no longer need.' } : {})}
      />
    </Box>
  );
}
