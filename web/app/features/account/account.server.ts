import { type User, userRoutes } from '@clearframe/contract';
import { type AppLoadContext, data, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { type ApiError, callApi } from '../../api.server';
import { takeFlash } from '../../flash.server';
import { translatorFor } from '../../i18n/i18n.server';
import { asApiError, problemResponse, throwPageFor, throwProblemPage } from '../../problem.server';
import { asVisitor, startLogin, tokenOf } from '../../visitor.server';
import { readAccount } from './account-facts.server';
import { accountAddress, accountPlaceAt, tabOf } from './account-tabs';
import { flashOf } from './flashes';

const NO_STORE = { 'cache-control': 'no-store' };

/**
 * Who calls, or null for a visitor whom the backend does not know yet.
 * @param headers of the answer, for the cookies of somebody whose visit has ended
 * @throws ApiError
 */
async function fetchMe(request: Request, context: AppLoadContext, headers: Headers): Promise<User | null> {
  if (!(await tokenOf(request, context))) return null;
  const ask = (token: string) => callApi(userRoutes.getMe, {}, { context, request, token });
  return (await asVisitor(request, context, headers, ask)).result;
}

/** The same for a page: what goes wrong is a page of its own, and who has to log in again is sent there. */
export async function loadMe(request: Request, context: AppLoadContext, headers: Headers): Promise<User | null> {
  try {
    return await fetchMe(request, context, headers);
  } catch (error) {
    request.signal.throwIfAborted();
    return throwRefusal(asApiError(error, context), request, context, headers);
  }
}

/** Throws the login page for whoever is nobody any more, and for everything else the page that explains it. */
export async function throwRefusal(
  problem: ApiError,
  request: Request,
  context: AppLoadContext,
  headers: Headers,
): Promise<never> {
  if (problem.code === 'users.not_authorized') throw await startLogin(request, context, headers);
  return throwProblemPage(problem, headers);
}

/** One place of the account as a page. A tab that somebody does not have leads to the general one. */
export async function loadAccountPage({ request, params, context }: LoaderFunctionArgs) {
  const path = params['*'] ?? '';
  const place = path === '' ? 'general' : accountPlaceAt(path);
  if (place === null) return throwPageFor('request.not_found', context);
  const headers = new Headers(NO_STORE);
  const [user, t] = await Promise.all([loadMe(request, context, headers), translatorFor(request, 'account')]);
  const account = await readAccount(user, request, context).catch((error: unknown) => {
    request.signal.throwIfAborted();
    return throwProblemPage(asApiError(error, context), headers);
  });
  const isThere = account.tabs.includes(tabOf(place)) && (place !== 'privacy' || account.privacy !== null);
  if (path === '' || !isThere) throw redirect(accountAddress('general') + new URL(request.url).search, 302);
  const flash = flashOf(await takeFlash(request, headers, context));
  return data(
    {
      place,
      account,
      flash,
      title: `${t(`${place}.title`)} · ${t('title')}`,
    },
    { headers },
  );
}

/** The same for the dialog, which stays on the page it is over. */
export async function answerAccount({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const headers = new Headers(NO_STORE);
  try {
    const user = await fetchMe(request, context, headers);
    return Response.json(await readAccount(user, request, context), { headers });
  } catch (error) {
    request.signal.throwIfAborted();
    return problemResponse(asApiError(error, context), headers);
  }
}
