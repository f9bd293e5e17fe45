/** What the server answers; every other address is the browser app's. Its source has a folder called `api` too. */
export const serverPaths =
  '^/(api/(?![\\w.-]+\\.tsx?(\\?|$))|functions/|calendar/|demo/|\\.well-known/|healthz(\\?|$)|readyz(\\?|$))';
