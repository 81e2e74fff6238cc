import type { LoaderFunctionArgs } from '@remix-run/node';
import { useActionData, useLoaderData, useLocation } from '@remix-run/react';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useTranslation } from 'react-i18next';
import { AppLink } from '../../ui/page/app-link';
import { PlanContents } from '../plans/features';
import { preserveOfferParam } from '../plans/offers';
import { TrialRoadmap } from '../plans/trial-roadmap';
import { useInterval } from '../plans/use-interval';
import { loadCheckout } from './checkout.server';
import { pay } from './order.server';
import { OrderSummary } from './order-summary';
import { PaymentForm } from './payment-form';
import { PaymentProblemNotice } from './payment-problem-notice';

export const handle = { i18n: ['tiers'] };
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
  const { t } = useTranslation('tiers');
  const { item, contents, trial, taskId } = order;
  const { every } = useInterval();
  const { search } = useLocation();
  const problemCode = refusal?.code ?? problem;
  return (
    <div className="mx-auto grid w-full max-w-5xl flex-1 content-start gap-x-20 gap-y-8 px-5 pt-2 pb-12 sm:px-8 sm:pt-4 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-5">
        <AppLink
          to={preserveOfferParam(taskId ? `/upgrade?taskId=${taskId}` : '/upgrade', search)}
          className="link-quiet flex min-h-11 items-center gap-2 self-start text-sm text-muted"
        >
          <ArrowLeft aria-hidden className="size-4 rtl:-scale-x-100" />
          {t('checkout.back')}
        </AppLink>
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
      <div id={FORM_ID} className="flex min-w-0 scroll-mt-4 flex-col gap-5 lg:pt-16">
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
  );
}

function withoutProblem(search: string): string {
  const query = new URLSearchParams(search);
  query.delete('problem');
  return `/checkout?${query}`;
}
