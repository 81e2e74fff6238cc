import { preserveVersionParam, RETURN_PARAMETER, returnAddressIn } from '../../http/internal-address';

/** URL of a modal opened over a page, with the version parameter and, unless it is home, the return address. */
export function modalAddressFrom(address: string, page: { pathname: string; search: string }): string {
  const query = new URLSearchParams(page.search);
  query.delete('v');
  const rest = query.toString();
  const back = `${page.pathname}${rest && `?${rest}`}`;
  return preserveVersionParam(addReturnAddress(address, back === '/' ? null : back), page.search);
}

/** URL of the modal's own page with other props, with the same return address. */
export function siblingAddress(address: string, search: string): string {
  const back = returnAddressIn(search);
  return preserveVersionParam(addReturnAddress(address, back === '/' ? null : back), search);
}

function addReturnAddress(address: string, back: string | null): string {
  if (back === null) return address;
  const query = new URLSearchParams({ [RETURN_PARAMETER]: back });
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}
