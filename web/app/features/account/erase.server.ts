import { inMilliseconds, userRoutes } from '@clearframe/contract';
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect, redirectDocument } from '@remix-run/node';
import { callApi } from '../../http/api.server';
import { readFields } from '../../http/form.server';
import { preserveVersionParam } from '../../http/internal-address';
import { asApiError } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { accountAddress } from '../../session/account-tabs';
import { fetchMe } from '../../session/me.server';
import { createGuest, type Exchange, endMemberSessions, tokenOf } from '../../session/visitor.server';
import { readAccount } from './account-data.server';
import { parseErase } from './erase-form';

/** All photos are deleted before the response. */
const TIMEOUT_MS = inMilliseconds.seconds(60);

export async function loadErase({ request, context }: LoaderFunctionArgs) {
  const [user, t] = await Promise.all([fetchMe({ request, context }), translatorFor(request, 'account')]);
  const { erasure } = await readAccount(user, request, context);
  const title = erasure.email === null ? t('erase.guestTitle') : t('erase.title');
  return { erasure, title };
}

export async function erase({ request, context }: ActionFunctionArgs) {
  const form = await readFields(request, context);
  const { search } = new URL(request.url);
  const user = await fetchMe({ request, context });
  if (!user) throw redirect(accountAddress('general') + search, 303);
  const email = user.isGuest ? null : user.email;
  const submission = parseErase(form, email);
  if (submission.status !== 'success') return data({ result: submission.reply() }, { status: 422 });
  const token = await tokenOf(request, context);
  // Without the request, so that leaving the page doesn't abort the erasure.
  await callApi(userRoutes.deleteCurrentUser, {}, { context, token, timeoutMs: TIMEOUT_MS });
  await replaceSession({ request, context });
  throw redirectDocument(preserveVersionParam('/account/erased', search), 303);
}

async function replaceSession(exchange: Exchange): Promise<void> {
  const { request, context } = exchange;
  await endMemberSessions(exchange);
  try {
    await createGuest(request, context);
  } catch (error) {
    const { code } = asApiError(error, exchange);
    context.logger.warn({ code }, 'could not create a guest after an erasure');
  }
}
