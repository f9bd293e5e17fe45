import { ActionIcon, Menu } from '@mantine/core';
import type { ReactNode } from 'react';

/** The acts upon a row that do not have a button of their own. `children` are `Menu.Item`s. */
export function RowMenu({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={26} aria-label={`More for ${name}`}>
          {/* One path, because a long table has this in every row. */}
          <svg width={16} height={16} viewBox="0 0 16 16" aria-hidden>
            <path d="M3 8h.01M8 8h.01M13 8h.01" stroke="currentColor" strokeWidth={2.4} strokeLinecap="round" />
          </svg>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
