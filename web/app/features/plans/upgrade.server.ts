import { randomUUID } from 'node:crypto';
import {
  formatPrice,
  inMilliseconds,
  priceRoutes,
  type SubscriptionStarted,
  subscriptionRoutes,
  userRoutes,
  WEEKS_OF,
} from '@clearframe/contract';
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  redirect,
  redirectDocument,
} from '@remix-run/node';
import { type Caller, callApi } from '../../api.server';
import { leaveFlash } from '../../flash.server';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { keepLanding } from '../../landing';
import { asApiError, throwPageFor, throwProblemPage } from '../../problem.server';
import { readSmallForm } from '../../small-form.server';
import { asMember, startLogin } from '../../visitor.server';
import { loadMe } from '../account/account.server';
import type { PaymentProblem } from '../checkout/order';
import { problemNamed } from '../checkout/problems.server';
import { walletSubscriptionPage } from '../checkout/provider-pages';
import { planPriceOfId } from '../settings/plan-prices.server';

const NO_STORE = { 'cache-control': 'no-store' };
/** Three things happen at the provider before the answer. */
const PATIENCE_MS = inMilliseconds.seconds(30);

/** What the move from personal to business means in money, before it is made. */
export async function loadUpgrade({ request, context }: LoaderFunctionArgs) {
  const headers = new Headers(NO_STORE);
  const { search, searchParams } = new URL(request.url);
  const priceId = searchParams.get('priceId') ?? '';
  const provider = await providerOf(request, context, headers);
  if (!provider) throw redirect(keepLanding('/upgrade', search), { status: 303, headers });
  try {
    const [preview, price, language, t] = await Promise.all([
      asMember(request, context, (token) =>
        callApi(
          subscriptionRoutes.previewUpgrade,
          { params: { provider }, query: { newPriceId: priceId || '?' } },
          { request, context, token },
        ),
      ),
      planPriceOfId(priceId, context),
      languageOf(request),
      translatorFor(request, 'tiers'),
    ]);
    if (!price) return throwPageFor('prices.not_found', context);
    const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
    return data(
      {
        title: t('upgradePage.title'),
        priceId,
        period: price.period,
        price: formatPrice(price.amountCents, price.currency),
        back: preview.remainingAmountCents > 0 ? formatPrice(preview.remainingAmountCents, preview.currency) : null,
        daysLeft: preview.daysLeft,
        isTrialing: preview.isTrialing,
        nextAt: date.format(new Date(Date.now() + inMilliseconds.days(7 * WEEKS_OF[price.period]))),
        problem: problemNamed(searchParams.get('problem')),
      },
      { headers },
    );
  } catch (error) {
    if (error instanceof Response) throw error;
    request.signal.throwIfAborted();
    return throwProblemPage(asApiError(error, context), headers);
  }
}

/** Where the running subscription is paid; null for one that can't be moved here. */
async function providerOf(request: Request, context: AppLoadContext, headers: Headers) {
  const user = await loadMe(request, context, headers);
  if (user?.isGuest ?? true) throw await startLogin(request, context, headers);
  const { isSubscribed, subscriptionProvider } = user?.monetization ?? {};
  return isSubscribed && subscriptionProvider !== 'mobile' ? (subscriptionProvider ?? null) : null;
}

/** By card at once; a wallet's owner agrees to the new subscription there first. */
export async function upgrade({ request, context }: ActionFunctionArgs) {
  const headers = new Headers(NO_STORE);
  const { search } = new URL(request.url);
  const priceId = (await readSmallForm(request, context)).get('priceId') ?? '';
  const provider = await providerOf(request, context, headers);
  if (!provider) throw redirect(keepLanding('/account/subscription', search), { status: 303, headers });
  try {
    if (provider === 'paypal') {
      throw redirectDocument(await walletPage(priceId, request, context), { status: 303, headers });
    }
    const { status } = await asMember(request, context, (token) => upgradeByCard(priceId, { context, token }));
    if (status !== 'active') return data({ problem: 'incomplete' as PaymentProblem }, { status: 409, headers });
  } catch (error) {
    if (error instanceof Response) throw error;
    request.signal.throwIfAborted();
    const problem = asApiError(error, context);
    if (problem.code === 'billing.country_blocked') throw redirect('/unavailable', { status: 303, headers });
    return data({ problem: problem.code as PaymentProblem }, { status: problem.status, headers });
  }
  await leaveFlash('upgraded', headers, context);
  return redirect(keepLanding('/account/subscription', search), { status: 303, headers });
}

/** Whoever leaves the page meanwhile has still asked for it: the call is not ended with the request. */
const upgradeByCard = (newPriceId: string, caller: Caller): Promise<SubscriptionStarted> =>
  callApi(subscriptionRoutes.upgradeByCard, { body: { newPriceId } }, { ...caller, timeoutMs: PATIENCE_MS });

async function walletPage(priceId: string, request: Request, context: AppLoadContext): Promise<string> {
  const { prices } = await callApi(priceRoutes.listPrices, { query: { priceId: priceId || '?' } }, { context });
  const planId = prices[0]?.paypalPlanNoFtId;
  if (!planId) return throwPageFor('prices.not_found', context);
  const user = await asMember(request, context, (token) => callApi(userRoutes.getMe, {}, { request, context, token }));
  const returnUrl = `/checkout/return?${new URLSearchParams({ priceId, isUpgrade: 'true' })}`;
  return walletSubscriptionPage(planId, `${user.webUserId}-${randomUUID().slice(0, 8)}`, returnUrl);
}
