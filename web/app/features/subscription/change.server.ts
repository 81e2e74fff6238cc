import { dateFormat, type SubscriptionProvider, subscriptionRoutes } from '@clearframe/contract';
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirectDocument } from '@remix-run/node';
import { seeOther } from '../../http/answer.server';
import { type ApiError, callApi } from '../../http/api.server';
import { preserveVersionParam } from '../../http/internal-address';
import { asApiError, problemData } from '../../http/problem.server';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import type { FlashName } from '../../session/account-flashes';
import { accountAddress } from '../../session/account-tabs';
import { setFlash } from '../../session/flash.server';
import { fetchMe } from '../../session/me.server';
import { asMember, type Exchange } from '../../session/visitor.server';
import { trackOperation } from '../telemetry/operations.server';
import { type SubscriptionKey, subscriptionIn } from './cancel-address';

const SUBSCRIPTION_TAB = accountAddress('subscription');

export async function loadCancel({ request, context }: LoaderFunctionArgs) {
  const other = subscriptionIn(new URL(request.url).searchParams);
  const provider = await providerOf({ request, context });
  const toTab = () => seeOther(SUBSCRIPTION_TAB, request);
  if (!provider) throw toTab();
  const [info, language, t] = await Promise.all([
    asMember(request, context, (token) =>
      callApi(subscriptionRoutes.getSubscription, inputOf(provider, other), { request, context, token }),
    ),
    languageOf(request),
    translatorFor(request, 'account'),
  ]);
  if (info.hasBeenCanceled) throw toTab();
  const isPaid = info.status === 'active' || info.status === 'trialing';
  const format = dateFormat(language);
  const until = isPaid && info.currentPeriodEnd ? format(new Date(info.currentPeriodEnd)) : null;
  return { until, other, title: t('cancel.title') };
}

const inputOf = (provider: SubscriptionProvider, other: SubscriptionKey | null) => ({
  params: { provider },
  query: other ? { subscriptionId: other.subscriptionId } : {},
});

async function providerOf(exchange: Exchange) {
  const other = subscriptionIn(new URL(exchange.request.url).searchParams);
  if (other) return other.provider;
  const user = await fetchMe(exchange);
  const provider = user?.monetization.subscriptionProvider ?? null;
  return provider === 'mobile' ? null : provider;
}

type Change = (provider: SubscriptionProvider, token: string) => Promise<unknown>;

/** @throws the redirect to the subscription; returns why the change failed */
async function change(
  { request, context }: ActionFunctionArgs,
  done: FlashName,
  { onRefused, work }: { readonly onRefused: FlashName; readonly work: Change },
): Promise<ApiError> {
  const provider = await providerOf({ request, context });
  let flash: FlashName = done;
  try {
    if (!provider) flash = onRefused;
    else await asMember(request, context, (token) => work(provider, token));
  } catch (error) {
    const problem = asApiError(error, { request, context });
    if (problem.code === 'users.not_authorized') throw problem;
    if (problem.status !== 404 && problem.status !== 409) return problem;
    flash = onRefused;
  }
  await setFlash(flash, context);
  // Reloads the document: many parts depend on the plan.
  throw redirectDocument(preserveVersionParam(SUBSCRIPTION_TAB, new URL(request.url).search), 303);
}

/** A failure is shown on the page of the question, which is asked again. */
export async function cancel(args: ActionFunctionArgs) {
  const problem = await change(args, 'cancelled', {
    onRefused: 'nothingToCancel',
    work: (provider, token) =>
      trackOperation({ kind: 'cancel', details: { what: 'subscription' } }, args, () =>
        callApi(
          subscriptionRoutes.cancelSubscription,
          inputOf(provider, subscriptionIn(new URL(args.request.url).searchParams)),
          { context: args.context, token },
        ),
      ),
  });
  return problemData(problem);
}

export async function restart(args: ActionFunctionArgs): Promise<never> {
  const problem = await change(args, 'restarted', {
    onRefused: 'notRestartable',
    work: (provider, token) =>
      callApi(
        subscriptionRoutes.restartSubscription,
        { params: { provider }, query: {} },
        { context: args.context, token },
      ),
  });
  throw problem;
}
