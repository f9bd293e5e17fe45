const steps: Record<string, [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Finds the next cell with a button in the direction of an arrow key. Home and End lead along the row. */
export function nextCell(table: HTMLTableElement, key: string): HTMLElement | null {
  const cell = document.activeElement?.closest('td');
  const row = cell?.parentElement;
  const body = table.tBodies[0];
  if (!cell || !(row instanceof HTMLTableRowElement) || !body) return null;
  if (key === 'Home' || key === 'End') {
    const buttons = [...row.querySelectorAll<HTMLElement>('td button')];
    return (key === 'Home' ? buttons[0] : buttons.at(-1)) ?? null;
  }
  const step = steps[key];
  if (!step) return null;
  const [rows, columns] = step;
  let [line, column] = [row.sectionRowIndex + rows, cell.cellIndex + columns];
  for (let next = body.rows[line]?.cells[column]; next; next = body.rows[line]?.cells[column]) {
    const button = next.querySelector<HTMLElement>('button');
    if (button) return button;
    line += rows;
    column += columns;
  }
  return null;
}
