import type { Settings } from '../../server/config/settings.ts';

/**
 * An address of the backend as the browser should use it: without the origin where it is our own, so that the page
 * also works under another name of the same machine. Addresses elsewhere (an object store) stay as they are.
 */
export function browserAddress(address: string, { publicUrl }: Settings): string {
  const url = new URL(address);
  return url.origin === publicUrl.origin ? `${url.pathname}${url.search}` : address;
}

/** Address that saves a file. The backend is asked for that by a parameter; an object store's files are attachments. */
export function downloadAddress(address: string, settings: Settings): string {
  const url = new URL(address);
  if (url.origin === settings.publicUrl.origin) url.searchParams.set('download', '1');
  return browserAddress(url.href, settings);
}

/** The same for our own calls: straight to the backend instead of through our own front door. */
export function backendAddress(address: string, { publicUrl, apiUrl }: Settings): URL {
  const url = new URL(address);
  return url.origin === publicUrl.origin ? new URL(`${url.pathname}${url.search}`, apiUrl) : url;
}
