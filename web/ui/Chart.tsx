import type { ChartFigureProps } from './ChartFigure.tsx';
import { Loaded } from './Loaded.tsx';
import { usePart } from './use-part.ts';

/** A chart. What draws it is loaded with the first one that is shown. */
export function Chart(chart: ChartFigureProps) {
  const part = usePart('charts', () => import('./ChartFigure.tsx'));
  return (
    <Loaded read={part} failure="This chart could not be loaded" loading={{ label: 'Loading a chart', rows: 4 }}>
      {({ ChartFigure }) => <ChartFigure {...chart} />}
    </Loaded>
  );
}
