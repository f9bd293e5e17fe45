import { ActionIcon, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './RowMenu.module.css';

/** The acts upon a row that do not have a button of their own. `children` are `Menu.Item`s. */
export function RowMenu({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={26} classNames={{ icon: classes.dots }} aria-label={`More for ${name}`} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
