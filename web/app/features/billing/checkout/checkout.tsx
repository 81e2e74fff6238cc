import type { SubmissionResult } from '@conform-to/dom';
import { useLocation } from '@remix-run/react';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useTranslation } from 'react-i18next';
import type { ProblemView } from '../../../http/problem';
import { AppLink } from '../../../ui/page/app-link';
import type { Confirmation, OrderView, PaymentProblem } from '../payment/order';
import { PaymentProblemNotice } from '../payment/payment-problem-notice';
import { withoutProblem } from '../payment/retry-address';
import { preserveOfferParam } from '../plans/offers';
import { useInterval } from '../plans/use-interval';
import { PlanContents } from '../tiers/features';
import { TrialRoadmap } from '../trial/trial-roadmap';
import { OrderSummary } from './order-summary';
import { PaymentForm } from './payment-form';

interface CheckoutProps {
  readonly order: OrderView;
  readonly problem: PaymentProblem | null;
  /** Error of the submitted payment. */
  readonly refusal: ProblemView | null;
  readonly result: SubmissionResult | null;
  readonly confirmation: Confirmation | null;
}

const FORM_ID = 'pay';

export function Checkout({ order, problem, refusal, result, confirmation }: CheckoutProps) {
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
            retryAddress={withoutProblem('/checkout', search)}
          />
        )}
        <div className="flex flex-col gap-5 rounded-picture bg-raised p-6 shadow-soft sm:p-8">
          <PaymentForm order={order} result={result} confirmation={confirmation} />
        </div>
      </div>
    </div>
  );
}
