import { useState } from 'react';

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
