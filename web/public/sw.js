// Shows push notifications, and opens their place; it keeps and intercepts nothing.
self.addEventListener('push', (event) => {
  const { title, body, link, tag } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: { link }, icon: '/favicon.svg' }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const place = new URL(event.notification.data.link, self.location.origin);
  if (place.origin === self.location.origin) event.waitUntil(self.clients.openWindow(place.href));
});
