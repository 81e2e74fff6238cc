import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { throwPageFor } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { flashOf } from '../../session/account-flashes';
import { accountAddress, accountSectionAt, tabOf } from '../../session/account-tabs';
import { consumeFlash } from '../../session/flash.server';
import { fetchMe } from '../../session/me.server';
import { readAccount } from './account-data.server';

export async function loadAccountPage({ request, params, context }: LoaderFunctionArgs) {
  const path = params['*'] ?? '';
  const section = path === '' ? 'general' : accountSectionAt(path);
  if (section === null) return throwPageFor('request.not_found', context);
  const [user, t] = await Promise.all([fetchMe({ request, context }), translatorFor(request, 'account')]);
  const account = await readAccount(user, request, context);
  const isAvailable = account.tabs.includes(tabOf(section)) && (section !== 'privacy' || account.privacy !== null);
  if (path === '' || !isAvailable) throw redirect(accountAddress('general') + new URL(request.url).search, 302);
  const flash = flashOf(await consumeFlash({ request, context }));
  return {
    section,
    account,
    flash,
    title: `${t(`${section}.title`)} · ${t('title')}`,
  };
}

export async function loadAccountData({ request, context }: LoaderFunctionArgs): Promise<Response> {
  return Response.json(await readAccount(await fetchMe({ request, context }), request, context));
}
