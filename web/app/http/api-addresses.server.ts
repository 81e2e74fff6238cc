import type { Settings } from '../../server/config/settings.ts';

/**
 * An address of the API for the browser: relative when its origin is ours, so that the page also works under other
 * names of the machine. Other origins (an object store) stay.
 */
export function browserAddress(address: string, { publicUrl }: Settings): string {
  const url = new URL(address);
  return url.origin === publicUrl.origin ? `${url.pathname}${url.search}` : address;
}

/** Address that downloads a file. The API takes a parameter; an object store's files are attachments. */
export function downloadAddress(address: string, settings: Settings): string {
  const url = new URL(address);
  if (url.origin === settings.publicUrl.origin) url.searchParams.set('download', '1');
  return browserAddress(url.href, settings);
}

/** The same for our own calls, which bypass the proxy. */
export function backendAddress(address: string, { publicUrl, apiUrl }: Settings): URL {
  const url = new URL(address);
  return url.origin === publicUrl.origin ? new URL(`${url.pathname}${url.search}`, apiUrl) : url;
}
