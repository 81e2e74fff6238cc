import { useTranslation } from 'react-i18next';
import { type ButtonKind, buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';
import { DELIVERED } from '../settings/delivered';

/** Formatted prices. */
export type TeaserPrices = Readonly<Record<'single' | 'personal' | 'business', string>>;

export interface PlansLink {
  readonly kind: ButtonKind;
  readonly to: string;
  readonly text: string;
}

/** Message keys of each plan's delivered features. */
const POINTS = {
  personal: ['photos', 'watermark', ...(DELIVERED.tools ? ['models'] : []), ...(DELIVERED.video ? ['video'] : [])],
  business: ['photos', 'formats', ...(DELIVERED.tools ? ['models'] : []), ...(DELIVERED.batch ? ['batch'] : [])],
} as const;

interface PlansTeaserProps {
  readonly prices: TeaserPrices;
  readonly link: PlansLink;
}

export function PlansTeaser({ prices, link: { kind, to, text } }: PlansTeaserProps) {
  const { t } = useTranslation('home');
  return (
    <section id="plans" aria-labelledby="plans-title" className="flex scroll-mt-8 flex-col gap-8 pt-20 sm:pt-32">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
        <div className="flex flex-col gap-3">
          <h2 id="plans-title" className="text-display-sm">
            {t('plans.title')}
          </h2>
          <p className="text-lg text-pretty text-muted">{t('plans.lead')}</p>
        </div>
        <AppLink to={to} className={buttonClass(kind)}>
          {text}
        </AppLink>
      </div>
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <Card title={t('plans.free.title')} body={t('plans.free.body')} />
        <Card
          title={t('plans.single.title')}
          price={t('plans.single.price', { price: prices.single })}
          body={t('plans.single.body')}
        />
        {(['personal', 'business'] as const).map((plan) => (
          <Card
            key={plan}
            title={t(`plans.${plan}.title`)}
            price={t('plans.weekly', { price: prices[plan] })}
            points={POINTS[plan].map((point) => t(`plans.${plan}.points.${point}` as 'plans.personal.points.photos'))}
          />
        ))}
      </ul>
    </section>
  );
}

interface CardProps {
  readonly title: string;
  readonly price?: string;
  readonly body?: string;
  readonly points?: readonly string[];
}

function Card({ title, price, body, points = [] }: CardProps) {
  return (
    <li className="flex flex-col gap-2 rounded-card bg-well p-6">
      <h3 className="flex flex-col text-lg font-medium">
        {title}
        {price && <span className="text-base font-normal text-muted">{price}</span>}
      </h3>
      {body && <p className="text-pretty text-muted">{body}</p>}
      {points.length > 0 && (
        <ul className="flex flex-col gap-1 text-pretty text-muted">
          {points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      )}
    </li>
  );
}
