/** The server's paths. Every other address belongs to the browser app, whose source has a folder called `api` too. */
export const serverPaths =
  '^/(api/(?![\\w.-]+\\.tsx?(\\?|$))|functions/|calendar/|demo/|\\.well-known/|healthz(\\?|$)|metrics(\\?|$)|readyz(\\?|$))';
