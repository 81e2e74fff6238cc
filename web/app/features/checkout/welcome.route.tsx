import { useLoaderData } from '@remix-run/react';
import { AccountFlash } from '../account/account-flash';
import { Welcome } from './welcome';
import { loadWelcome } from './welcome.server';

export const handle = { i18n: ['account'] };
export const loader = loadWelcome;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function WelcomePage() {
  const { plan, flash } = useLoaderData<typeof loader>();
  return (
    <>
      <AccountFlash flash={flash} />
      <Welcome plan={plan} />
    </>
  );
}
