import type { LoaderFunctionArgs } from '@remix-run/node';
import { useActionData, useLoaderData, useLocation } from '@remix-run/react';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useTranslation } from 'react-i18next';
import { AppLink } from '../../ui/page/app-link';
import { PlanContents } from '../plans/features';
import { preserveOfferParam } from '../plans/offers';
import { TrialRoadmap } from '../plans/trial-roadmap';
import { useInterval } from '../plans/use-interval';
import { Logo } from '../shell/header';
import { loadCheckout } from './checkout.server';
import { pay } from './order.server';
import { OrderSummary } from './order-summary';
import { PaymentForm } from './payment-form';
import { PaymentProblemNotice } from './payment-problem-notice';

export const handle = { i18n: ['tiers'], hasOwnBar: true };
export const loader = (args: LoaderFunctionArgs) => loadCheckout(args);
export const action = pay;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';
export { PurchaseBoundary as ErrorBoundary } from './refused-page';

const FORM_ID = 'pay';

export default function CheckoutPage() {
  const { order, problem } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const refusal = answer?.problem ?? null;
  const confirmation = answer && 'confirmation' in answer ? answer.confirmation : null;
  const { t } = useTranslation(['tiers', 'common', 'header']);
  const { item, contents, trial, taskId } = order;
  const { every } = useInterval();
  const { search } = useLocation();
  const problemCode = refusal?.code ?? problem;
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-1 flex-col gap-4 px-5 pb-12 sm:gap-8 sm:px-8">
      <div className="flex items-center justify-between gap-4 py-4 sm:py-6">
        <AppLink to="/" aria-label={t('header:home')} className="-m-2 rounded-full p-2">
          <Logo name={t('common:name')} />
        </AppLink>
        <AppLink
          to={preserveOfferParam(taskId ? `/upgrade?taskId=${taskId}` : '/upgrade', search)}
          className="link-quiet flex min-h-11 items-center gap-2 text-sm text-muted"
        >
          <ArrowLeft aria-hidden className="size-4 shrink-0 rtl:-scale-x-100" />
          {t('checkout.back')}
        </AppLink>
      </div>
      <div className="grid content-start gap-x-20 gap-y-8 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-5">
          <h1 className="text-muted">{t('checkout.title')}</h1>
          <OrderSummary order={order} />
          {contents && !trial.days && <PlanContents {...contents} />}
          {item.kind === 'plan' && trial.days && (
            <TrialRoadmap
              days={trial.days}
              charge={{ price: order.price, every: every(item.period) }}
              exports={trial.exports}
              formId={FORM_ID}
            />
          )}
        </div>
        <div id={FORM_ID} className="flex min-w-0 scroll-mt-4 flex-col gap-5">
          {problemCode && (
            <PaymentProblemNotice
              code={problemCode}
              requestId={refusal?.requestId ?? null}
              retryAddress={withoutProblem(search)}
            />
          )}
          <div className="flex flex-col gap-5 rounded-picture bg-raised p-6 shadow-soft sm:p-8">
            <PaymentForm order={order} result={answer?.result ?? null} confirmation={confirmation} />
          </div>
        </div>
      </div>
    </div>
  );
}

function withoutProblem(search: string): string {
  const query = new URLSearchParams(search);
  query.delete('problem');
  return `/checkout?${query}`;
}
