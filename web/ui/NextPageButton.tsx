import { Button, type ButtonProps } from '@mantine/core';

interface NextPageButtonProps extends ButtonProps {
  children?: string;
  /** The result of useInfiniteQuery. */
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
}

export function NextPageButton({ list, children = 'Show more', ...looks }: NextPageButtonProps) {
  if (!list.hasNextPage) return null;
  return (
    <Button
      variant="default"
      w="fit-content"
      onClick={() => void list.fetchNextPage()}
      loading={list.isFetchingNextPage}
      {...looks}
    >
      {children}
    </Button>
  );
}
