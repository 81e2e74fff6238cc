import type { Period } from '@clearframe/contract';
import { Form, useNavigate } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../../ui/content/badge';
import { FeatureList } from '../../../ui/content/feature-list';
import { Notice } from '../../../ui/content/notice';
import { Button } from '../../../ui/controls/button';
import { SegmentedSelector } from '../../../ui/controls/segmented-selector';
import { CurrencySwitch } from './currency-switch';
import type { OffersView, PlanOffer } from './offers';
import { Packs } from './packs';
import { PlanAction } from './plan-action';

const PERIODS: readonly Period[] = ['weekly', 'monthly', 'yearly'];

/** All offers, with features and charges. */
export function Plans({ offers, isGuest }: { readonly offers: OffersView; readonly isGuest: boolean }) {
  const { t } = useTranslation('tiers');
  // Business has unlimited downloads, so it needs no packs.
  const isUnlimited = offers.plans.some(({ plan, isCurrent }) => plan === 'business' && isCurrent);
  return (
    <section className="mx-auto flex w-full max-w-5xl flex-1 flex-col gap-10 px-5 pt-2 pb-10 sm:pt-4 sm:px-8">
      <div className="flex flex-col items-center gap-4 text-center">
        <h1 className="text-display-sm">{t('title')}</h1>
        <p className="max-w-xl text-lg text-pretty text-muted">{t('lead')}</p>
      </div>
      <div className="flex flex-col items-center gap-3">
        {offers.isBlocked && (
          <Notice>
            <p className="font-medium">{t('unavailable.title')}</p>
            <p>{t('unavailable.body')}</p>
          </Notice>
        )}
        <PeriodChoice offers={offers} />
        {!offers.isCurrencyFixed && <CurrencySwitch selected={offers.currency} />}
      </div>
      <ul className="grid gap-5 md:grid-cols-2">
        {offers.plans.map((plan) => (
          <PlanCard key={plan.plan} offer={plan} offers={offers} />
        ))}
      </ul>
      {offers.packs.length > 0 && !isUnlimited && (
        <Packs packs={offers.packs} taskId={offers.taskId} isGuest={isGuest} />
      )}
    </section>
  );
}

/** Reloads the prices when changed; without JavaScript, by a button. */
function PeriodChoice({ offers: { period, discounts, taskId } }: { readonly offers: OffersView }) {
  const { t } = useTranslation('tiers');
  const navigate = useNavigate();
  const show = (chosen: Period) => {
    const query = new URLSearchParams(window.location.search);
    query.set('period', chosen);
    navigate(`/upgrade?${query}`, { replace: true, preventScrollReset: true });
  };
  return (
    <Form action="/upgrade" className="mx-auto flex w-full max-w-lg flex-wrap items-center justify-center gap-3">
      {taskId && <input type="hidden" name="taskId" value={taskId} />}
      <SegmentedSelector
        className="w-full"
        name="period"
        label={t('period.label')}
        selected={period}
        onSelect={show}
        discountText={(percent) => t('save', { percent })}
        options={PERIODS.map((key) => ({
          key,
          label: t(`period.${key}`),
          offBadge: discounts[key] > 0 ? discounts[key] : undefined,
        }))}
      />
      <Button type="submit" kind="quiet" size="small" className="js:hidden">
        {t('period.show')}
      </Button>
    </Form>
  );
}

function PlanCard({ offer, offers }: { readonly offer: PlanOffer; readonly offers: OffersView }) {
  const { t } = useTranslation('tiers');
  const { plan, price, isCurrent } = offer;
  return (
    <li className="flex flex-col gap-6 rounded-picture bg-raised p-6 shadow-soft sm:p-8">
      <div className="flex flex-col gap-1">
        <div className="flex items-center gap-3">
          <h2 className="text-title">{t(`plans.${plan}.title`)}</h2>
          {isCurrent && <Badge variant="new">{t('current')}</Badge>}
        </div>
        <p className="text-muted">{t(`plans.${plan}.subtitle`)}</p>
      </div>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-display-sm" dir="ltr">
          {price}
        </span>
        <span className="text-muted">{t(`every.${offers.period}`)}</span>
      </p>
      <FeatureList
        includedLabel={t('included')}
        excludedLabel={t('notIncluded')}
        features={offer.features.map(({ textKey, check }) => ({
          key: textKey,
          text: textOf(t, textKey, { count: offer.exports ?? 0, period: offers.period }),
          isIncluded: check,
        }))}
      />
      <PlanAction offer={offer} offers={offers} />
    </li>
  );
}

/** The settings may name features that this version has no text for. */
const textOf = (
  t: ReturnType<typeof useTranslation<'tiers'>>['t'],
  key: string,
  allowance: { readonly count: number; readonly period: Period },
): string => t(key as 'features.personalExports', { defaultValue: key, ...allowance });
