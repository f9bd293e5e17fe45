import type { App } from '#server/platform/app-parts.ts';

/** Fills in the demo programme on the first start of a demo instance. */
export async function fillDemoOnFirstStart(_app: App): Promise<void> {}
