// Shows push notifications, and opens their place; it keeps and intercepts nothing.
self.addEventListener('push', (event) => event.waitUntil(show(event.data.json())));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const place = new URL(event.notification.data.link, self.location.origin);
  if (place.origin === self.location.origin) event.waitUntil(open(place.href));
});

/** A tab that shows the place comes to the front; of what others show nothing is replaced, as somebody may write there. */
async function open(address) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = windows.find(({ url }) => url === address);
  await (shown ? shown.focus() : self.clients.openWindow(address));
}

async function show({ title, body, link, tag }) {
  const news = await findNews(tag);
  if (news === 'none') return showBriefly(tag);
  const words = news === 'unknown reader' ? { title: 'Switchyard: sign in to read it', body: '' } : { title, body };
  await self.registration.showNotification(words.title, {
    body: words.body,
    tag,
    data: { link },
    icon: '/favicon.svg',
  });
}

/** Browsers end the subscription of whoever takes push messages and shows nothing (Safari after the third). */
async function showBriefly(tag) {
  const own = `${tag} seen`;
  await self.registration.showNotification('Switchyard: nothing new', {
    tag: own,
    silent: true,
    data: { link: '/dashboard' },
    icon: '/favicon.svg',
  });
  for (const notification of await self.registration.getNotifications({ tag: own })) notification.close();
}

/**
 * A push service may have held it back until it was read, or somebody else has signed in here, or nobody is signed in
 * any more. A browser that cannot ask shows it.
 */
async function findNews(tag) {
  try {
    const answer = await fetch(`/api/push/notices/${tag}`, { cache: 'no-store', signal: AbortSignal.timeout(5000) });
    if (answer.status === 401) return 'unknown reader';
    if (answer.status === 404) return 'none';
    return !answer.ok || (await answer.json()).isNews ? 'words' : 'none';
  } catch {
    return 'words';
  }
}
