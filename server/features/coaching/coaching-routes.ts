import * as booking from '#contract/booking.ts';
import * as setup from '#contract/booking-setup.ts';
import * as coach from '#contract/coach-sessions.ts';
import { listWeeklyRatings, rateWeek as rateWeekEndpoint } from '#contract/coaching.ts';
import { houseZone } from '#contract/house-zone.ts';
import { dayAt } from '#contract/weeks.ts';
import { now } from '#server/platform/clock.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { bookSession, moveSession, withdrawSession } from './booking.ts';
import { findBooking } from './booking-queries.ts';
import { addLeave, removeLeave, saveAvailability, saveBookingSetup } from './booking-setup.ts';
import { findAvailability, findBookingSetup, findLeave } from './booking-setup-queries.ts';
import { findWeeklyRatings } from './coaching-queries.ts';
import { rateWeek } from './ratings.ts';
import { findCoachSession, findCoachSessions, findUpcomingSessions } from './session-queries.ts';
import { cancelSession, reopenSession, updateSession } from './sessions.ts';

export function coachingRoutes(app: App): void {
  serve(app, listWeeklyRatings, async ({ db, actor, query }) => ({
    ratings: await findWeeklyRatings(db, actor, query.week ?? null),
  }));
  serve(app, rateWeekEndpoint, ({ db, actor, params, body }) => rateWeek(db, actor, { ...params, ...body }));
  bookingRoutes(app);
  sessionRoutes(app);
  setupRoutes(app);
}

function bookingRoutes(app: App): void {
  serve(app, booking.readBooking, ({ db, actor, query }) =>
    findBooking(db, actor, { coachId: query.coachId ?? null, at: now(), limits: app.config }),
  );
  serve(app, booking.bookSession, async ({ db, actor, body }) => ({
    id: await bookSession(db, actor, { ...body, startsAt: new Date(body.startsAt) }, app.config),
  }));
  serve(app, booking.moveSession, async ({ db, actor, params, body }) => {
    await moveSession(db, actor, { sessionId: params.id, startsAt: new Date(body.startsAt) }, app.config);
    return { id: params.id };
  });
  serve(app, booking.withdrawSession, async ({ db, actor, params }) => {
    await withdrawSession(db, actor, params.id);
    return { id: params.id };
  });
}

function sessionRoutes(app: App): void {
  serve(app, coach.listCoachSessions, ({ db, actor }) => findCoachSessions(db, actor, now()));
  serve(app, coach.listUpcomingSessions, ({ db, actor, query }) =>
    findUpcomingSessions(db, actor, { at: now(), cursor: query.cursor }),
  );
  serve(app, coach.updateSession, async ({ db, actor, params, body }) => {
    await updateSession(db, actor, params.id, body);
    return findCoachSession(db, actor, params.id, now());
  });
  serve(app, coach.reopenSession, async ({ db, actor, params }) => {
    await reopenSession(db, actor, params.id);
    return findCoachSession(db, actor, params.id, now());
  });
  serve(app, coach.cancelSession, async ({ db, actor, params, body }) => {
    await cancelSession(db, actor, params.id, body.reason);
    return findCoachSession(db, actor, params.id, now());
  });
}

function setupRoutes(app: App): void {
  serve(app, setup.readBookingSetup, ({ db, actor }) => findBookingSetup(db, actor));
  serve(app, setup.saveBookingSetup, async ({ db, actor, body }) => {
    await saveBookingSetup(db, actor, body);
    return findBookingSetup(db, actor);
  });
  serve(app, setup.readAvailability, ({ db, actor, params }) => findAvailability(db, actor, params.weekStartDate));
  serve(app, setup.saveAvailability, async ({ db, actor, params, body }) => {
    await saveAvailability(db, actor, params.weekStartDate, body.ranges);
    return findAvailability(db, actor, params.weekStartDate);
  });
  serve(app, setup.listLeave, ({ db, actor }) => findLeave(db, actor, dayAt(now(), houseZone)));
  serve(app, setup.addLeave, ({ db, actor, body }) => addLeave(db, actor, body));
  serve(app, setup.removeLeave, async ({ db, actor, params }) => {
    await removeLeave(db, actor, params.id);
    return { done: true as const };
  });
}
