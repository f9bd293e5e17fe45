import { cleanup } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { draw } from '#test/support/draw.tsx';
import { StatusFindings } from './StatusFindings.tsx';

afterEach(cleanup);

test('a remedy shows its command as code, and no backticks', () => {
  const findings = [
    {
      code: 'secret-weak',
      severity: 'error',
      problem: 'AUTH_SECRET can be guessed.',
      remedy: 'Set it to what `openssl rand -hex 32` prints.',
    } as const,
  ];
  const { container } = draw(<StatusFindings status={{ findings, inspectedAt: null }} />);
  expect(container.querySelector('code')?.textContent).toBe('openssl rand -hex 32');
  expect(container.textContent).toContain('Set it to what openssl rand -hex 32 prints.');
});
