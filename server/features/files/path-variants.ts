const documentedBucket = 'assignment-submissions/';

/**
 * FILES-14, SUBM-21: returns the stored path first, then the other ways in which somebody may have written it down.
 * None leads out of the owner's own folders.
 */
export function pathVariantsOf({ path, ownerId }: { path: string; ownerId: string }): string[] {
  const bare = withoutBucket(path.replace(/^\/+/, ''));
  const lastPart = bare.slice(bare.lastIndexOf('/') + 1);
  const variants = [
    path,
    bare,
    decoded(bare),
    `${ownerId}/${lastPart}`,
    `${ownerId}/${decoded(lastPart)}`,
    `${documentedBucket}${bare}`,
  ];
  const folders = [`${ownerId}/`, `messages/${ownerId}/`, 'content/'];
  return [...new Set(variants)].filter(
    (variant) =>
      folders.some((folder) => withoutBucket(variant).startsWith(folder)) &&
      variant.split('/').every((part) => part !== '' && part !== '.' && part !== '..'),
  );
}

function withoutBucket(path: string): string {
  return path.startsWith(documentedBucket) ? path.slice(documentedBucket.length) : path;
}

/** A path that is no percent-encoding stays as it is. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}
