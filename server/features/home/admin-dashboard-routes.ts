import { readAdminDashboard } from '#contract/home.ts';
import { now } from '#server/platform/clock.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { findAdminDashboard } from './admin-dashboard-queries.ts';

export function adminDashboardRoutes(app: App): void {
  serve(app, readAdminDashboard, ({ db }) => findAdminDashboard(db, now()));
}
