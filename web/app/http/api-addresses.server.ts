import type { Settings } from '../../server/config/settings.ts';

/**
 * A URL of the API for the browser: relative when its origin is ours, so that pages work under any host. URLs of an
 * object store stay absolute.
 */
export function browserAddress(address: string, { publicUrl }: Settings): string {
  const url = new URL(address);
  return url.origin === publicUrl.origin ? `${url.pathname}${url.search}` : address;
}

/** URL that downloads a file. The API needs a parameter; an object store's files are attachments. */
export function downloadAddress(address: string, settings: Settings): string {
  const url = new URL(address);
  if (url.origin === settings.publicUrl.origin) url.searchParams.set('download', '1');
  return browserAddress(url.href, settings);
}

/** A URL of the API for calls of this server, which bypass the proxy. */
export function backendAddress(address: string, { publicUrl, apiUrl }: Settings): URL {
  const url = new URL(address);
  return url.origin === publicUrl.origin ? new URL(`${url.pathname}${url.search}`, apiUrl) : url;
}
