import {
  checkoutRoutes,
  dateFormat,
  formatMoney,
  formatPrice,
  inMilliseconds,
  mayBuy,
  priceOf,
  type SubscriptionStarted,
  upgradeRoutes,
  WEEKS_PER_PERIOD,
} from '@clearframe/contract';
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirectDocument } from '@remix-run/node';
import { z } from 'zod';
import { seeOther } from '../../http/answer.server';
import { ApiError, callApi, type VerifiedCaller } from '../../http/api.server';
import { readForm } from '../../http/form.server';
import { preserveVersionParam } from '../../http/internal-address';
import { asApiError, throwPageFor } from '../../http/problem.server';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { changeFlash } from '../../session/account-flashes';
import { setFlash } from '../../session/flash.server';
import { asMember, type Exchange } from '../../session/visitor.server';
import { captchaTokenOf } from '../captcha/captcha.server';
import { CAPTCHA_FIELD } from '../captcha/captcha-field';
import type { PaymentProblem } from '../checkout/order';
import { openPaymentPage, type Purchase, readPurchase } from '../checkout/order.server';
import { hasRefusalPage, problemInAddress, throwRefusalPage } from '../checkout/refusals.server';
import { methodOf, PERIOD_CHANGE_PARAMETER } from '../checkout/return-parameters';
import { checkoutAddress } from '../plans/offers';
import { comparedContents } from '../plans/plan-contents.server';
import { trackOperation, trackStart } from '../telemetry/operations.server';

/** Unknown prices get an error page. */
const upgradeForm = z.object({ priceId: z.string().default(''), [CAPTCHA_FIELD]: z.string().optional() });

/** @throws Response a refusal, or the checkout when there is nothing to change */
async function allowedChange({ price, question }: Purchase, exchange: Exchange) {
  const decision = mayBuy(question);
  if (!decision.isAllowed) {
    return throwRefusalPage(ApiError.of(decision.code, exchange.context.requestId), question, exchange);
  }
  const { kind, providers } = decision;
  const [provider] = providers;
  if ((kind !== 'upgrade' && kind !== 'change_period') || !provider) {
    throw seeOther(checkoutAddress(price.priceId), exchange.request);
  }
  const plan = priceOf(price.id);
  if (plan?.kind !== 'plan') return throwPageFor('prices.not_for_sale', exchange.context);
  return { kind, plan, provider };
}

export async function loadUpgrade({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const change = await readPurchase(searchParams.get('priceId') ?? '', { request, context });
  const { price } = change;
  const { kind, plan, provider } = await allowedChange(change, { request, context });
  try {
    const [preview, language, t] = await Promise.all([
      asMember(request, context, (token) =>
        callApi(
          upgradeRoutes.previewUpgrade,
          { params: { provider }, query: { newPriceId: price.priceId } },
          { request, context, token },
        ),
      ),
      languageOf(request),
      translatorFor(request, 'tiers'),
    ]);
    const format = dateFormat(language);
    return {
      title: t(kind === 'upgrade' ? 'upgradePage.title' : 'periodPage.title'),
      kind,
      plan: plan.plan,
      contents: kind === 'upgrade' ? comparedContents(change.settings, plan.plan, plan.period) : null,
      priceId: price.priceId,
      captchaAction: (provider === 'paypal' ? checkoutRoutes.createCheckout : upgradeRoutes.upgradeByCard).path,
      period: plan.period,
      price: formatPrice(price.amountCents, price.currency),
      refund:
        preview.remainingAmountCents > 0 ? formatMoney(preview.remainingAmountCents, preview.currency, language) : null,
      daysLeft: preview.daysLeft,
      isTrialing: preview.isTrialing,
      nextAt: format(new Date(Date.now() + inMilliseconds.days(7 * WEEKS_PER_PERIOD[plan.period]))),
      problem: problemInAddress(searchParams.get('problem')),
    };
  } catch (error) {
    return throwRefusalPage(asApiError(error, { request, context }), change.question, { request, context });
  }
}

/** Upgrades at once by card; redirects to the provider to approve the new subscription by wallet. */
export async function upgrade({ request, context }: ActionFunctionArgs) {
  const { search } = new URL(request.url);
  const form = await readForm(request, context, upgradeForm);
  const change = await readPurchase(form.priceId, { request, context });
  const { kind, plan, provider } = await allowedChange(change, { request, context });
  const { price } = change;
  const details = { priceId: price.priceId, method: methodOf(provider) };
  const caller = { request, context, captchaToken: captchaTokenOf(form, request) };
  try {
    if (provider === 'paypal') {
      const address = await asMember(request, context, (token) =>
        walletPage(price.priceId, { kind, search }, { ...caller, token }),
      );
      await trackStart({ kind: 'upgrade', details }, { request, context });
      throw redirectDocument(address, 303);
    }
    const { status } = await trackOperation(
      { kind: 'upgrade', details },
      { request, context },
      () => asMember(request, context, (token) => upgradeByCard(price.priceId, { ...caller, token })),
      (upgraded) =>
        upgraded.status === 'active' ? { step: 'completed' } : { step: 'failed', errorCode: 'incomplete' },
    );
    if (status !== 'active') return data({ problem: 'incomplete' as PaymentProblem }, { status: 409 });
  } catch (error) {
    const problem = asApiError(error, { request, context });
    if (hasRefusalPage(problem.code, change.question)) {
      return throwRefusalPage(problem, change.question, { request, context });
    }
    return data({ problem: problem.code as PaymentProblem }, { status: problem.status });
  }
  await setFlash(changeFlash(kind, plan.period), context);
  return seeOther('/account/subscription', request);
}

/** Detached: leaving the page must not abort the upgrade. */
const upgradeByCard = (newPriceId: string, caller: VerifiedCaller): Promise<SubscriptionStarted> =>
  callApi(upgradeRoutes.upgradeByCard, { body: { newPriceId } }, { ...caller, isDetached: true });

async function walletPage(
  priceId: string,
  { kind, search }: { readonly kind: 'upgrade' | 'change_period'; readonly search: string },
  caller: VerifiedCaller,
): Promise<string> {
  const query = new URLSearchParams({ priceId, isUpgrade: 'true', method: 'wallet' });
  if (kind === 'change_period') query.set(PERIOD_CHANGE_PARAMETER, 'true');
  const returnPath = preserveVersionParam(`/checkout/return?${query}`, search);
  const body = { priceId, provider: 'paypal', upgrade: true, returnPath } as const;
  return openPaymentPage(body, caller);
}
