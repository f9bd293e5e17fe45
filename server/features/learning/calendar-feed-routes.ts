import type { FastifyReply, FastifyRequest } from 'fastify';
import * as contract from '#contract/calendar-feeds.ts';
import { dayAt } from '#contract/weeks.ts';
import { calendarTag, calendarText } from '#server/platform/calendar-text.ts';
import { countedAddress } from '#server/platform/client-address.ts';
import { now } from '#server/platform/clock.ts';
import { notFound } from '#server/platform/errors.ts';
import { isKnownTag } from '#server/platform/known-tags.ts';
import { limitTries } from '#server/platform/rate-limit.ts';
import { type App, serve, serveStream } from '#server/platform/serve.ts';
import { findFeedReader } from './calendar-feed-access.ts';
import { findOwnFeed, makeFeed, renewFeed, stopFeed } from './calendar-feeds.ts';
import { findCalendarItems, loadCalendarItem } from './calendar-item-queries.ts';

/** Many people's programs read from one address, so only misses count by address. */
const missesByAddress = { max: 60, windowSeconds: 300 };
const readsByFeed = { max: 120, windowSeconds: 3600 };

export function calendarFeedRoutes(app: App): void {
  serve(app, contract.readCalendarFeed, async ({ db, actor }) => ({ feed: await findOwnFeed(db, actor, app) }));
  serve(app, contract.makeCalendarFeed, ({ db, actor }) => makeFeed(db, actor, app));
  serve(app, contract.renewCalendarFeed, ({ db, actor }) => renewFeed(db, actor, app));
  serve(app, contract.stopCalendarFeed, async ({ db, actor }) => {
    await stopFeed(db, actor);
    return { done: true as const };
  });
  serveStream(app, contract.downloadCalendar, ({ params, request, reply }) =>
    sendCalendar(app, params.file, request, reply),
  );
  serveStream(app, contract.downloadCalendarItem, async ({ db, actor, params, reply }) => {
    const item = await loadCalendarItem(db, actor, params.kind, params.id);
    return asCalendar(reply)
      .header('content-disposition', `attachment; filename="switchyard-${params.kind}.ics"`)
      .send(calendarText([item], { publicUrl: app.config.publicUrl, zone: item.zone }));
  });
}

async function sendCalendar(app: App, file: string, request: FastifyRequest, reply: FastifyReply) {
  const { db, secrets, config } = app;
  const token = /^([\w-]{43})\.ics$/.exec(file)?.[1];
  const reader = token ? await findFeedReader(db, secrets, token) : undefined;
  if (!reader) {
    await limitTries(db, `calendar-miss:${countedAddress(request)}`, missesByAddress, config.rateLimitFactor);
    throw notFound('There is no calendar at this address. Its owner may have renewed it or taken it away.');
  }
  await limitTries(db, `calendar-of:${reader.id}`, readsByFeed, config.rateLimitFactor);
  const { zone } = reader;
  const items = await findCalendarItems(db, reader, dayAt(now(), zone));
  const text = calendarText(items, { publicUrl: config.publicUrl, zone });
  const tag = calendarTag(text);
  asCalendar(reply).header('etag', tag).header('content-disposition', 'inline; filename="switchyard.ics"');
  return isKnownTag(request, tag) ? reply.code(304).send() : reply.send(text);
}

function asCalendar(reply: FastifyReply): FastifyReply {
  return reply
    .type('text/calendar; charset=utf-8')
    .header('cache-control', 'private, no-cache')
    .header('x-robots-tag', 'noindex, nofollow')
    .header('referrer-policy', 'no-referrer');
}
