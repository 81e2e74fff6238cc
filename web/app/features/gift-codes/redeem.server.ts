import { dateFormat, type ErrorCode, giftCodeRoutes, mobileRoutes, type User } from '@clearframe/contract';
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  redirect,
  redirectDocument,
} from '@remix-run/node';
import { callApi } from '../../http/api.server';
import { plainFields, readFields } from '../../http/form.server';
import { loginAddress, preserveVersionParam } from '../../http/internal-address';
import { allowBackCache, asApiError, problemViewOf } from '../../http/problem.server';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { accountAddress } from '../../session/account-tabs';
import { loadMe } from '../../session/me.server';
import { asMember, visitorOf } from '../../session/visitor.server';
import { SCRIPT_FIELD } from './redeem';
import { parseAppAccount, parseRedeem } from './redeem-form';

const HEADERS = { 'cache-control': 'no-store' };

const CODE_PARAMETER = 'redeemCode';
const MOBILE_PARAMETER = 'backend_id';

/** Shown at the field; others above the form. */
const CODE_PROBLEMS: readonly ErrorCode[] = ['gift_codes.not_found', 'gift_codes.used', 'gift_codes.expired'];

/** Null without the parameter. */
function appAccountIn({ search, searchParams }: URL) {
  return searchParams.has(MOBILE_PARAMETER) ? parseAppAccount(plainFields(search)) : null;
}

export async function loadRedeem({ request, context }: LoaderFunctionArgs) {
  const url = new URL(request.url);
  const [t, { kind }] = await Promise.all([translatorFor(request, 'account'), visitorOf(request, context)]);
  const code = url.searchParams.get(CODE_PARAMETER);
  const appAccount = code === null ? appAccountIn(url) : null;
  const isMobile = appAccount?.status === 'success';
  return data(
    {
      title: t(isMobile ? 'mobile.title' : 'redeem.title'),
      code: code ?? '',
      isMobile,
      appAccount: appAccount && !isMobile ? appAccount.reply() : null,
      isGuest: kind === 'guest',
    },
    { headers: HEADERS },
  );
}

export async function redeem({ request, context }: ActionFunctionArgs) {
  const fields = await readFields(request, context);
  return fields.has('code') ? redeemCode(fields, request, context) : linkMobile(fields, request, context);
}

async function redeemCode(fields: URLSearchParams, request: Request, context: AppLoadContext) {
  const url = new URL(request.url);
  const submission = parseRedeem(fields);
  if (submission.status !== 'success') {
    return data(
      { problem: null, result: submission.reply(), done: null },
      { status: 422, headers: allowBackCache(new Headers()) },
    );
  }
  const { code } = submission.value;
  if ((await visitorOf(request, context)).kind === 'guest') return loginFirst(url, { [CODE_PARAMETER]: code });
  try {
    await asMember(request, context, (token) =>
      callApi(giftCodeRoutes.redeemGiftCode, { body: { code } }, { request, context, token }),
    );
  } catch (error) {
    if (error instanceof Response) throw error;
    request.signal.throwIfAborted();
    const problem = asApiError(error, context);
    const isAboutCode = CODE_PROBLEMS.includes(problem.code);
    return data(
      {
        problem: isAboutCode ? null : problemViewOf(problem),
        result: submission.reply(isAboutCode ? { fieldErrors: { code: [problem.code] } } : {}),
        done: null,
      },
      { status: problem.status, headers: allowBackCache(new Headers()) },
    );
  }
  return done(url, fields, request, context);
}

async function linkMobile(fields: URLSearchParams, request: Request, context: AppLoadContext) {
  const url = new URL(request.url);
  const appAccount = appAccountIn(url);
  if (appAccount?.status !== 'success')
    return redirect(preserveVersionParam('/redeem', url.search), { status: 303, headers: HEADERS });
  const { backend_id: oracleBackendId } = appAccount.value;
  if ((await visitorOf(request, context)).kind === 'guest')
    return loginFirst(url, { [MOBILE_PARAMETER]: oracleBackendId });
  try {
    await asMember(request, context, (token) =>
      callApi(mobileRoutes.linkMobile, { body: { oracleBackendId } }, { request, context, token }),
    );
  } catch (error) {
    if (error instanceof Response) throw error;
    request.signal.throwIfAborted();
    const problem = asApiError(error, context);
    return data(
      { problem: problemViewOf(problem), result: null, done: null },
      { status: problem.status, headers: HEADERS },
    );
  }
  return done(url, fields, request, context);
}

/** A guest's gift would be deleted with the guest. */
const loginFirst = (url: URL, query: Readonly<Record<string, string>>) =>
  redirect(loginAddress(`/redeem?${new URLSearchParams(query)}`, url.search), { status: 303, headers: HEADERS });

async function done({ search }: URL, fields: URLSearchParams, request: Request, context: AppLoadContext) {
  const headers = new Headers(HEADERS);
  const address = preserveVersionParam('/redeem/done', search);
  if (!fields.has(SCRIPT_FIELD)) return redirectDocument(address, { status: 303, headers });
  const until = await redeemedUntil(await loadMe({ request, context, headers }), request);
  return data({ problem: null, result: null, done: { until } }, { headers });
}

async function redeemedUntil(user: User | null, request: Request): Promise<string | null> {
  if (!user?.giftCode?.isActive) return null;
  const format = dateFormat(await languageOf(request));
  return format(new Date(user.giftCode.expiryAt));
}

export async function loadRedeemed({ request, context }: LoaderFunctionArgs) {
  const headers = new Headers(HEADERS);
  const user = await loadMe({ request, context, headers });
  const { giftCode, monetization } = user ?? {};
  const isMobile = monetization?.isSubscribed && monetization.subscriptionProvider === 'mobile';
  if (!isMobile && !giftCode?.isActive) {
    const address = preserveVersionParam(accountAddress('subscription'), new URL(request.url).search);
    throw redirect(address, { status: 303, headers });
  }
  const [until, t] = await Promise.all([redeemedUntil(user, request), translatorFor(request, 'account')]);
  return data({ until, title: t('redeem.done.title') }, { headers });
}
