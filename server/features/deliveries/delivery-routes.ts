import * as contract from '#contract/deliveries.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { findGivenUpDeliveries } from './delivery-queries.ts';
import { retryDeliveries, retryDelivery } from './delivery-retries.ts';

export function deliveryRoutes(app: App): void {
  serve(app, contract.listGivenUpDeliveries, ({ db, query }) => findGivenUpDeliveries(db, query));
  serve(app, contract.retryDelivery, async ({ db, actor, params }) => {
    await retryDelivery(db, actor, params.id);
    return { done: true as const };
  });
  serve(app, contract.retryDeliveries, async ({ db, actor, body }) => ({
    queuedCount: await retryDeliveries(db, actor, body),
  }));
}
