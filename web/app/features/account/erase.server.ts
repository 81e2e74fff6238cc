import { inMilliseconds, userRoutes } from '@clearframe/contract';
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect, redirectDocument } from '@remix-run/node';
import { callApi } from '../../http/api.server';
import { readFields } from '../../http/form.server';
import { preserveVersionParam } from '../../http/internal-address';
import { allowBackCache, asApiError, throwProblemPage } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { accountAddress } from '../../session/account-tabs';
import { loadMe, throwRefusal } from '../../session/me.server';
import { createGuest, type Exchange, endMemberSessions, tokenOf } from '../../session/visitor.server';
import { readAccount } from './account-data.server';
import { parseErase } from './erase-form';

/** All photos are deleted before the response. */
const TIMEOUT_MS = inMilliseconds.seconds(60);

export async function loadErase({ request, context }: LoaderFunctionArgs) {
  const headers = new Headers({ 'cache-control': 'no-store' });
  const [user, t] = await Promise.all([loadMe({ request, context, headers }), translatorFor(request, 'account')]);
  const { erasure } = await readAccount(user, request, context).catch((error: unknown) => {
    request.signal.throwIfAborted();
    return throwProblemPage(asApiError(error, context), headers);
  });
  const title = erasure.email === null ? t('erase.guestTitle') : t('erase.title');
  return data({ erasure, title }, { headers });
}

export async function erase({ request, context }: ActionFunctionArgs) {
  const form = await readFields(request, context);
  const { search } = new URL(request.url);
  const headers = new Headers();
  const user = await loadMe({ request, context, headers });
  if (!user) throw redirect(accountAddress('general') + search, { status: 303, headers });
  const email = user.isGuest ? null : user.email;
  const submission = parseErase(form, email);
  if (submission.status !== 'success')
    return data({ result: submission.reply() }, { status: 422, headers: allowBackCache(headers) });
  const token = await tokenOf(request, context);
  try {
    // Without the request, so that leaving the page doesn't abort the erasure.
    await callApi(userRoutes.eraseMe, {}, { context, token, timeoutMs: TIMEOUT_MS });
  } catch (error) {
    return throwRefusal(asApiError(error, context), { request, context, headers });
  }
  await replaceSession({ request, context, headers });
  throw redirectDocument(preserveVersionParam('/account/erased', search), { status: 303, headers });
}

async function replaceSession(exchange: Exchange): Promise<void> {
  const { request, context, headers } = exchange;
  await endMemberSessions(exchange);
  try {
    headers.append('set-cookie', (await createGuest(request, context)).setCookie);
  } catch (error) {
    context.logger.warn({ code: asApiError(error, context).code }, 'could not create a guest after an erasure');
  }
}
