import { countryFrom } from '@clearframe/contract';
import { type AppLoadContext, redirect } from '@remix-run/node';
import { preserveVersionParam } from '../../http/internal-address';

/**
 * For pages that start something new: a visitor's photos, data rights and help stay reachable.
 * @throws Response a redirect to the page for countries without service
 */
export function requireService(request: Request, { settings }: AppLoadContext): void {
  const { countryHeader, blockedServiceCountries } = settings;
  const country = countryHeader && countryFrom(request.headers.get(countryHeader));
  if (!country || !blockedServiceCountries.includes(country)) return;
  const address = preserveVersionParam('/unavailable/service', new URL(request.url).search);
  throw redirect(address, 303);
}
