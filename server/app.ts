import type { Config } from '#server/config.ts';
import type { OpenDatabase } from '#server/db/database.ts';
import type { Replica } from '#server/db/replica.ts';
import { accountRoutes } from '#server/features/accounts/account-routes.ts';
import { ownDetailsRoutes } from '#server/features/accounts/own-details/own-details-routes.ts';
import { secondFactorRoutes } from '#server/features/accounts/second-factor/second-factor-routes.ts';
import { serviceTokenRoutes } from '#server/features/accounts/sessions/service-token-routes.ts';
import { sessionRoutes } from '#server/features/accounts/sessions/session-routes.ts';
import { identityRoutes } from '#server/features/accounts/ways-in/identity-routes.ts';
import { signInWaysRoutes } from '#server/features/accounts/ways-in/sign-in-ways-routes.ts';
import { auditRoutes } from '#server/features/audit/audit-routes.ts';
import { coachingRoutes } from '#server/features/coaching/coaching-routes.ts';
import { cohortRoutes } from '#server/features/cohorts/cohort-routes.ts';
import { courseRoutes } from '#server/features/cohorts/course-routes.ts';
import { enrolmentRoutes } from '#server/features/cohorts/enrolment-routes.ts';
import { contentRoutes } from '#server/features/curriculum/contents/content-routes.ts';
import { programmeRoutes } from '#server/features/curriculum/programme/programme-routes.ts';
import { trainingActivityRoutes } from '#server/features/curriculum/training/training-activity-routes.ts';
import { deliveryRoutes } from '#server/features/deliveries/delivery-routes.ts';
import { demoMailboxRoutes } from '#server/features/deliveries/demo-mailbox-routes.ts';
import { phoneRoutes } from '#server/features/deliveries/phone-routes.ts';
import { pushRoutes } from '#server/features/deliveries/push-routes.ts';
import { fileRoutes } from '#server/features/files/file-routes.ts';
import { uploadRoutes } from '#server/features/files/upload-routes.ts';
import { findingRoutes } from '#server/features/finding/finding-routes.ts';
import { homeRoutes } from '#server/features/home/home-routes.ts';
import { importRoutes } from '#server/features/imports/import-routes.ts';
import { calendarFeedRoutes } from '#server/features/learning/calendar-feed-routes.ts';
import { fellowshipRoutes } from '#server/features/learning/fellowship-routes.ts';
import { learningRoutes } from '#server/features/learning/learning-routes.ts';
import { messageRoutes } from '#server/features/messages/message-routes.ts';
import { noticeRoutes } from '#server/features/notices/notice-routes.ts';
import { unsubscribeRoutes } from '#server/features/notices/unsubscribe-routes.ts';
import { metricsRoutes } from '#server/features/operations/metrics-routes.ts';
import { statusRoutes } from '#server/features/operations/status-routes.ts';
import { paymentRoutes } from '#server/features/payments/payment-routes.ts';
import { peopleRoutes } from '#server/features/people/people-routes.ts';
import { programmeFactRoutes } from '#server/features/programmes/programme-fact-routes.ts';
import { resourceRoutes } from '#server/features/resources/resource-routes.ts';
import { savedFilterRoutes } from '#server/features/saved-filters/saved-filter-routes.ts';
import { ownStipendRoutes } from '#server/features/stipends/own-stipend-routes.ts';
import { ruleRoutes } from '#server/features/stipends/rule-routes.ts';
import { stipendRoutes } from '#server/features/stipends/stipend-routes.ts';
import { reviewRoutes } from '#server/features/submissions/review-routes.ts';
import { submissionRoutes } from '#server/features/submissions/submission-routes.ts';
import { userRoutes } from '#server/features/users/user-routes.ts';
import type { App } from '#server/platform/app-parts.ts';
import { healthRoutes } from '#server/platform/health-routes.ts';
import { buildHttp } from '#server/platform/http.ts';
import { startLive } from '#server/platform/live.ts';
import type { LogStream } from '#server/platform/logs.ts';
import { describeApi } from '#server/platform/openapi.ts';
import type { Secrets } from '#server/platform/secret-box.ts';
import { openStorage } from '#server/platform/storage.ts';
import { refuseUnsendableHeaders } from '#server/platform/unreadable-requests.ts';
import { servePages } from '#server/platform/web-pages.ts';
import { readRoleCookie, readSessionToken, sessionKeysOf } from '#server/sign-in/auth-cookie.ts';
import { sessionsOf } from '#server/sign-in/session-identity.ts';

interface Parts {
  config: Config;
  database: Omit<OpenDatabase, 'close'>;
  replica: Replica | null;
  secrets: Secrets;
  /** null in a process that runs no jobs. */
  areJobsHealthy: () => boolean | null;
  /** The standard output when absent. */
  logs?: LogStream;
}

/** Puts the server together: plumbing first, then every feature's routes. It does not listen yet. */
export async function buildApp({ config, database, replica, secrets, areJobsHealthy, logs }: Parts): Promise<App> {
  const { db, patientDb, pool } = database;
  const http = await buildHttp(config, logs);
  pool.on('error', (error) => http.log.warn({ err: error }, 'an idle connection to the database was lost'));
  http.addHook('onReady', async () => replica?.start(http.log));
  http.addHook('onClose', async () => replica?.stop());
  const sessionKeys = sessionKeysOf(secrets);
  const app: App = {
    http,
    db,
    patientDb,
    pool,
    replica,
    config,
    sessions: sessionsOf({ db, config, sessionKeys }),
    sessionKeys,
    secrets,
    storage: await openStorage(config),
    endpoints: [],
  };
  await describeApi(http);

  healthRoutes(app, areJobsHealthy);
  metricsRoutes(app);
  startLive(app);
  accountRoutes(app);
  secondFactorRoutes(app);
  signInWaysRoutes(app);
  identityRoutes(app);
  sessionRoutes(app);
  serviceTokenRoutes(app);
  ownDetailsRoutes(app);
  userRoutes(app);
  peopleRoutes(app);
  auditRoutes(app);
  cohortRoutes(app);
  courseRoutes(app);
  programmeFactRoutes(app);
  programmeRoutes(app);
  enrolmentRoutes(app);
  importRoutes(app);
  trainingActivityRoutes(app);
  contentRoutes(app);
  learningRoutes(app);
  fellowshipRoutes(app);
  calendarFeedRoutes(app);
  fileRoutes(app);
  uploadRoutes(app);
  submissionRoutes(app);
  reviewRoutes(app);
  coachingRoutes(app);
  messageRoutes(app);
  noticeRoutes(app);
  unsubscribeRoutes(app);
  pushRoutes(app);
  phoneRoutes(app);
  deliveryRoutes(app);
  resourceRoutes(app);
  savedFilterRoutes(app);
  findingRoutes(app);
  stipendRoutes(app);
  ruleRoutes(app);
  ownStipendRoutes(app);
  paymentRoutes(app);
  statusRoutes(app);
  homeRoutes(app);
  demoMailboxRoutes(app);

  await servePages(http, (request) => ({
    mayBeSignedIn: readSessionToken(request, config.publicUrl, sessionKeys) !== null,
    lastRole: readRoleCookie(request, config.publicUrl),
  }));
  refuseUnsendableHeaders(http);
  await http.ready();
  return app;
}
