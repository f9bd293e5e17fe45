/** A chart's place is kept free before what draws it is there. */
export const mostCohortsInChart = 5;
