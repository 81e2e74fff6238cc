import { type Currency, formatPrice, PERIODS, type Period, type Plan } from '@clearframe/contract';
import { Form, useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../ui/content/badge';
import { Notice } from '../../ui/content/notice';
import { Button, buttonClass } from '../../ui/controls/button';
import { SegmentedSelector } from '../../ui/controls/segmented-selector';
import { AppLink } from '../../ui/page/app-link';
import { LinkedText } from '../../ui/page/linked-text';
import { CurrencySwitch } from './currency-switch';
import { Features, Tick } from './features';
import type { OffersView, PlanOffer } from './offers.server';
import { Packs } from './packs';
import { PlanAction } from './plan-action';
import { useInterval } from './use-interval';

/** Classes by the number of cards. */
const COLUMNS = [
  '',
  'mx-auto w-full max-w-xl',
  '@xl:grid-cols-2',
  '@xl:grid-cols-2 @5xl:grid-cols-3',
  '@xl:grid-cols-2 @5xl:grid-cols-4',
];

const BUSINESS_LINKS = { business: '/terms#business', tax: '/terms#tax', api: '/developers' };

interface TiersProps {
  readonly offers: OffersView;
  readonly isGuest: boolean;
  readonly heading: 'h2' | 'h3';
  readonly surface: 'raised' | 'well';
  /** With a column for what is free, unless the visitor pays already. */
  readonly hasFree?: boolean;
  /** Absent: switching the currency loads the page again. */
  readonly onCurrency?: ((currency: Currency) => void) | undefined;
  readonly period: Period;
  readonly onPeriod: (period: Period) => void;
  readonly onChoose?: (priceId: string) => void;
}

/** Pay as you go, Personal and Business. */
export function Tiers(props: TiersProps) {
  const { offers, isGuest, heading, surface, hasFree = false, onCurrency, period, onPeriod, onChoose } = props;
  const { t } = useTranslation('tiers');
  const plans = shownPlans(offers, period);
  const card = `flex flex-col gap-5 rounded-picture p-4 min-[22rem]:p-6 ${surface === 'raised' ? 'bg-raised shadow-soft' : 'bg-well'}`;
  // Subscribers change to a period that isn't the shown one.
  const hasPeriods = PERIODS.some((one) => offers.plansByPeriod[one].some(({ action }) => isPeriodic(action)));
  const showsFree = hasFree && !offers.isPremium;
  const columns = plans.length + (offers.packs.length > 0 ? 1 : 0) + (showsFree ? 1 : 0);
  return (
    <div className="@container flex flex-col gap-6">
      {offers.isBlocked && (
        <Notice>
          <p className="font-medium">{t('unavailable.title')}</p>
          <p>{t('unavailable.body')}</p>
        </Notice>
      )}
      {(hasPeriods || offers.isBlocked) && (
        <div className="flex flex-col items-center gap-3">
          <PeriodChoice offers={offers} period={period} onPeriod={onPeriod} />
          {period !== 'weekly' && <p className="text-center text-sm text-muted">{t(`periodNote.${period}`)}</p>}
        </div>
      )}
      <ul className={`grid grid-cols-1 gap-4 ${COLUMNS[columns]}`}>
        {showsFree && <Free currency={offers.currency} heading={heading} className={card} />}
        {offers.packs.length > 0 && (
          <Packs
            offers={offers}
            isGuest={isGuest}
            heading={heading}
            onChoose={onChoose}
            className={`${card} ${columns === 3 ? '@xl:@max-5xl:col-span-2' : ''}`}
          />
        )}
        {plans.map((offer) => (
          <li key={offer.plan} className={card}>
            <PlanHead offer={offer} heading={heading} />
            <PlanAction offer={offer} offers={offers} {...(onChoose && { onChoose })} />
            <Features offer={offer} below={below(offers, offer.plan, period)} />
            {offer.plan === 'business' && (
              <p className="text-caption text-muted">
                <LinkedText text={t('businessLinks')} links={BUSINESS_LINKS} />
              </p>
            )}
          </li>
        ))}
      </ul>
      {(hasPeriods || offers.isBlocked) && !offers.isCurrencyFixed && (
        <CurrencySwitch selected={offers.currency} onSelect={onCurrency} />
      )}
    </div>
  );
}

interface FreeProps {
  readonly currency: Currency;
  readonly heading: 'h2' | 'h3';
  readonly className: string;
}

function Free({ currency, heading: Heading, className }: FreeProps) {
  const { t } = useTranslation('tiers');
  return (
    <li className={className}>
      <div className="flex flex-col gap-3">
        <div className="flex flex-col gap-1">
          <Heading className="text-title">{t('free.title')}</Heading>
          <p className="text-muted">{t('free.lead')}</p>
        </div>
        <p className="text-display-sm" dir="ltr">
          {formatPrice(0, currency)}
        </p>
      </div>
      <AppLink to="/" className={buttonClass('quiet')}>
        {t('free.action')}
      </AppLink>
      <ul className="flex flex-col gap-2.5">
        <Tick>{t('free.result')}</Tick>
        <Tick>{t('packs.noLogin')}</Tick>
      </ul>
    </li>
  );
}

const isPeriodic = (action: PlanOffer['action']): boolean => action === 'subscribe' || action === 'change_period';

/** A plan that contains no more than the visitor's own is not offered. */
const shownPlans = ({ plansByPeriod, isBlocked }: OffersView, period: Period): readonly PlanOffer[] =>
  plansByPeriod[period].filter(({ action, isCurrent }) => isBlocked || isCurrent || action !== 'none');

/** Has one card in every period. */
export const isSingleCard = (offers: OffersView): boolean =>
  offers.packs.length === 0 && PERIODS.every((period) => shownPlans(offers, period).length < 2);

const below = ({ plansByPeriod }: OffersView, plan: Plan, period: Period): PlanOffer | null =>
  (plan === 'business' && plansByPeriod[period].find((one) => one.plan === 'personal')) || null;

function PlanHead({ offer, heading: Heading }: { readonly offer: PlanOffer; readonly heading: 'h2' | 'h3' }) {
  const { t } = useTranslation('tiers');
  const { every } = useInterval();
  const { plan, price, period, pricePerWeek, isCurrent, action } = offer;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-col gap-1">
        <div className="flex flex-wrap items-center gap-3">
          <Heading className="text-title">{t(`plans.${plan}.title`)}</Heading>
          {isCurrent && <Badge variant="new">{t('current')}</Badge>}
        </div>
        <p className="text-muted">{t(`plans.${plan}.subtitle`)}</p>
      </div>
      {action === 'contact' ? (
        <p className="text-display-sm">{t('contact.price')}</p>
      ) : (
        <div>
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="text-display-sm" dir="ltr">
              {price}
            </span>
            <span className="text-muted">{every(period)}</span>
          </p>
          {pricePerWeek && <p className="text-sm text-muted">{t('perWeek', { price: pricePerWeek })}</p>}
        </div>
      )}
    </div>
  );
}

interface PeriodChoiceProps {
  readonly offers: OffersView;
  readonly period: Period;
  readonly onPeriod: (period: Period) => void;
}

/** Without JavaScript a form, which keeps the other parameters. */
function PeriodChoice({ offers: { discounts }, period, onPeriod }: PeriodChoiceProps) {
  const { t } = useTranslation('tiers');
  const { pathname, search } = useLocation();
  const others = [...new URLSearchParams(search)].filter(([name]) => name !== 'period');
  return (
    <Form action={pathname} className="mx-auto flex w-full max-w-lg flex-wrap items-center justify-center gap-3">
      {others.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <SegmentedSelector
        className="w-full"
        name="period"
        label={t('period.label')}
        selected={period}
        onSelect={onPeriod}
        discountText={(percent) => t('save', { share: percent / 100 })}
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
