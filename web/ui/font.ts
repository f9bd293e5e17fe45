/** The font of all texts, and what stands in for it. */
export const fontFamily = "'Inter Variable', system-ui, sans-serif";
