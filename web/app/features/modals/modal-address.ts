import { preserveVersionParam, RETURN_PARAMETER, returnAddressIn } from '../../http/landing';

interface Here {
  readonly pathname: string;
  readonly search: string;
}

/** A modal's address when opened over a page: with the version parameter, and the return address unless it is home. */
export function completeModalAddress(address: string, here: Here): string {
  const query = new URLSearchParams(here.search);
  query.delete('v');
  const rest = query.toString();
  const back = `${here.pathname}${rest && `?${rest}`}`;
  return preserveVersionParam(withReturn(address, back === '/' ? null : back), here.search);
}

/** The same from the modal's own page, with its return address. */
export function siblingAddress(address: string, search: string): string {
  const back = returnAddressIn(search);
  return preserveVersionParam(withReturn(address, back === '/' ? null : back), search);
}

function withReturn(address: string, back: string | null): string {
  if (back === null) return address;
  const query = new URLSearchParams({ [RETURN_PARAMETER]: back });
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}
