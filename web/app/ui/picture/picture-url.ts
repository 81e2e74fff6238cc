import { useState } from 'react';

/** Signed URLs are valid for an hour. */
const KEPT_MS = 30 * 60_000;

/** URLs by path: every response signs another URL for the same file. */
const known = new Map<string, { readonly url: string; readonly since: number }>();

/** The first signed URL of a file, so that the picture loads once and doesn't flicker. */
export function useStableUrl(url: string | null): string | null {
  const [stable, setStable] = useState(() => ({ from: url, url: url && stableUrlOf(url) }));
  if (stable.from === url) return stable.url;
  const next = { from: url, url: url && stableUrlOf(url) };
  setStable(next);
  return next.url;
}

function stableUrlOf(url: string): string {
  // The server must not remember the URLs of visitors.
  if (typeof window === 'undefined') return url;
  const path = url.split('?', 1)[0] ?? url;
  const earlier = known.get(path);
  if (earlier && Date.now() - earlier.since < KEPT_MS) return earlier.url;
  known.set(path, { url, since: Date.now() });
  return url;
}

/** The last uploaded file, to show it on the next pages before its display file exists. */
let latest: { readonly taskId: string; readonly url: string } | null = null;

export function rememberPicture(taskId: string, file: Blob): void {
  if (latest) URL.revokeObjectURL(latest.url);
  latest = { taskId, url: URL.createObjectURL(file) };
}

/** Object URL of a picture that was uploaded by this document; null for others. */
export function useLocalPicture(taskId: string): string | null {
  const [url] = useState(latest?.taskId === taskId ? latest.url : null);
  return url;
}
