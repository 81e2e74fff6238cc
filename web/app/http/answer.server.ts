import { redirect } from '@remix-run/node';
import { preserveVersionParam } from './internal-address';

/** Whether `http/browser-client.ts` sent it: it gets JSON, and no redirect or page. */
export const isByScript = ({ headers }: Request): boolean => headers.get('accept') === 'application/json';

/** Redirects to a page of this visit by GET. */
export const seeOther = (address: string, { url }: Request): Response =>
  redirect(preserveVersionParam(address, new URL(url).search), 303);
