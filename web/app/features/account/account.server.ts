import { data, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { asApiError, problemResponse, throwPageFor, throwProblemPage } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { flashOf } from '../../session/account-flashes';
import { accountAddress, accountSectionAt, tabOf } from '../../session/account-tabs';
import { consumeFlash } from '../../session/flash.server';
import { fetchMe, loadMe } from '../../session/me.server';
import { readAccount } from './account-data.server';

const NO_STORE = { 'cache-control': 'no-store' };

export async function loadAccountPage({ request, params, context }: LoaderFunctionArgs) {
  const path = params['*'] ?? '';
  const section = path === '' ? 'general' : accountSectionAt(path);
  if (section === null) return throwPageFor('request.not_found', context);
  const headers = new Headers(NO_STORE);
  const [user, t] = await Promise.all([loadMe({ request, context, headers }), translatorFor(request, 'account')]);
  const account = await readAccount(user, request, context).catch((error: unknown) => {
    request.signal.throwIfAborted();
    return throwProblemPage(asApiError(error, context), headers);
  });
  const isAvailable = account.tabs.includes(tabOf(section)) && (section !== 'privacy' || account.privacy !== null);
  if (path === '' || !isAvailable) throw redirect(accountAddress('general') + new URL(request.url).search, 302);
  const flash = flashOf(await consumeFlash({ request, context, headers }));
  return data(
    {
      section,
      account,
      flash,
      title: `${t(`${section}.title`)} · ${t('title')}`,
    },
    { headers },
  );
}

export async function loadAccountData({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const headers = new Headers(NO_STORE);
  try {
    const user = await fetchMe({ request, context, headers });
    return Response.json(await readAccount(user, request, context), { headers });
  } catch (error) {
    request.signal.throwIfAborted();
    return problemResponse(asApiError(error, context), headers);
  }
}
