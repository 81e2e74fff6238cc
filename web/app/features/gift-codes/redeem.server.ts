import { dateFormat, type ErrorCode, giftCodeRoutes, mobileRoutes, type User } from '@clearframe/contract';
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  redirect,
  redirectDocument,
} from '@remix-run/node';
import { seeOther } from '../../http/answer.server';
import { callApi } from '../../http/api.server';
import { plainFields, readFields } from '../../http/form.server';
import { loginAddress, preserveVersionParam } from '../../http/internal-address';
import { asApiError, problemViewOf } from '../../http/problem.server';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { accountAddress } from '../../session/account-tabs';
import { fetchMe } from '../../session/me.server';
import { asMember, visitorOf } from '../../session/visitor.server';
import { SCRIPT_FIELD } from './redeem';
import { parseAppAccount, parseRedeem } from './redeem-form';

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
  return {
    title: t(isMobile ? 'mobile.title' : 'redeem.title'),
    code: code ?? '',
    isMobile,
    appAccount: appAccount && !isMobile ? appAccount.reply() : null,
    isGuest: kind === 'guest',
  };
}

export async function redeem({ request, context }: ActionFunctionArgs) {
  const fields = await readFields(request, context);
  return fields.has('code') ? redeemCode(fields, request, context) : linkMobile(fields, request, context);
}

async function redeemCode(fields: URLSearchParams, request: Request, context: AppLoadContext) {
  const url = new URL(request.url);
  const submission = parseRedeem(fields);
  if (submission.status !== 'success') {
    return data({ problem: null, result: submission.reply(), done: null }, { status: 422 });
  }
  const { code } = submission.value;
  if ((await visitorOf(request, context)).kind === 'guest') return loginFirst(url, { [CODE_PARAMETER]: code });
  try {
    await asMember(request, context, (token) =>
      callApi(giftCodeRoutes.redeemGiftCode, { body: { code } }, { request, context, token }),
    );
  } catch (error) {
    const problem = asApiError(error, { request, context });
    const isAboutCode = CODE_PROBLEMS.includes(problem.code);
    return data(
      {
        problem: isAboutCode ? null : problemViewOf(problem),
        result: submission.reply(isAboutCode ? { fieldErrors: { code: [problem.code] } } : {}),
        done: null,
      },
      { status: problem.status },
    );
  }
  return done(url, fields, request, context);
}

async function linkMobile(fields: URLSearchParams, request: Request, context: AppLoadContext) {
  const url = new URL(request.url);
  const appAccount = appAccountIn(url);
  if (appAccount?.status !== 'success') return seeOther('/redeem', request);
  const { backend_id: oracleBackendId } = appAccount.value;
  if ((await visitorOf(request, context)).kind === 'guest')
    return loginFirst(url, { [MOBILE_PARAMETER]: oracleBackendId });
  try {
    await asMember(request, context, (token) =>
      callApi(mobileRoutes.linkMobileSubscription, { body: { oracleBackendId } }, { request, context, token }),
    );
  } catch (error) {
    const problem = asApiError(error, { request, context });
    return data({ problem: problemViewOf(problem), result: null, done: null }, { status: problem.status });
  }
  return done(url, fields, request, context);
}

/** A guest's gift would be deleted with the guest. */
const loginFirst = (url: URL, query: Readonly<Record<string, string>>) =>
  redirect(loginAddress(`/redeem?${new URLSearchParams(query)}`, url.search), 303);

async function done({ search }: URL, fields: URLSearchParams, request: Request, context: AppLoadContext) {
  const address = preserveVersionParam('/redeem/done', search);
  if (!fields.has(SCRIPT_FIELD)) return redirectDocument(address, 303);
  const until = await redeemedUntil(await fetchMe({ request, context }), request);
  return { problem: null, result: null, done: { until } };
}

async function redeemedUntil(user: User | null, request: Request): Promise<string | null> {
  if (!user?.giftCode?.isActive) return null;
  const format = dateFormat(await languageOf(request));
  return format(new Date(user.giftCode.expiryAt));
}

export async function loadRedeemed({ request, context }: LoaderFunctionArgs) {
  const user = await fetchMe({ request, context });
  const { giftCode, monetization } = user ?? {};
  const isMobile = monetization?.isSubscribed && monetization.subscriptionProvider === 'mobile';
  if (!isMobile && !giftCode?.isActive) {
    throw seeOther(accountAddress('subscription'), request);
  }
  const [until, t] = await Promise.all([redeemedUntil(user, request), translatorFor(request, 'account')]);
  return { until, title: t('redeem.done.title') };
}
