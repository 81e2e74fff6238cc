import { keepLanding, RETURN_PARAMETER, returnAddressIn } from '../../http/landing';

interface Here {
  readonly pathname: string;
  readonly search: string;
}

/** A modal's address for somebody on a page: with what they landed with, and the way back unless that leads home. */
export function completeModalAddress(address: string, here: Here): string {
  const query = new URLSearchParams(here.search);
  query.delete('v');
  const rest = query.toString();
  const back = `${here.pathname}${rest && `?${rest}`}`;
  return keepLanding(withReturn(address, back === '/' ? null : back), here.search);
}

/** The same for somebody who is on that modal's page already, with its way back. */
export function siblingAddress(address: string, search: string): string {
  const back = returnAddressIn(search);
  return keepLanding(withReturn(address, back === '/' ? null : back), search);
}

function withReturn(address: string, back: string | null): string {
  if (back === null) return address;
  const query = new URLSearchParams({ [RETURN_PARAMETER]: back });
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}
