import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';
import { Features } from './features';
import { checkoutAddress } from './offers';
import type { OffersView, PackOffer } from './offers.server';
import type { PlanContents } from './plan-contents.server';

export interface PackChoice {
  readonly taskId: string | null;
  readonly isGuest: boolean;
}

/** Only a single photo's download needs no account. */
export const needsNoLogin = ({ exports }: PackOffer, { taskId, isGuest }: PackChoice): boolean =>
  isGuest && taskId !== null && exports === 1;

/** Guests can buy one photo's download only. */
export const packAddress = ({ priceId, exports }: PackOffer, { taskId, isGuest }: PackChoice): string =>
  checkoutAddress(priceId, { taskId: exports === 1 || !isGuest ? taskId : null });

/** What each download of a pack includes. */
const CONTENTS: PlanContents = {
  plan: 'personal',
  period: 'weekly',
  exports: null,
  features: [
    { textKey: 'features.noWatermark', check: true },
    { textKey: 'features.jpeg', check: true },
  ],
};

interface PacksProps {
  readonly offers: Pick<OffersView, 'packs' | 'taskId'>;
  readonly isGuest: boolean;
  readonly heading: 'h2' | 'h3';
  readonly className: string;
  readonly onChoose?: ((priceId: string) => void) | undefined;
}

export function Packs({ offers: { packs, taskId }, isGuest, heading: Heading, className, onChoose }: PacksProps) {
  const { t } = useTranslation('tiers');
  const choice = { taskId, isGuest };
  return (
    <li id="packs" className={`@container ${className}`}>
      <div className="flex flex-col gap-1">
        <Heading className="text-title">{t('packs.title')}</Heading>
        <p className="text-pretty text-muted">{t('packs.lead')}</p>
      </div>
      <ul className="-mx-1 grid gap-x-10 gap-y-1 @md:grid-cols-2">
        {packs.map((offer) => {
          const { pack, priceId, price, priceEach, exports } = offer;
          return (
            <li key={pack} className="flex items-center justify-between gap-3 rounded-control px-1 py-1.5">
              <div className="flex min-w-0 flex-col">
                <p className="font-medium">{t('packs.name', { count: exports })}</p>
                <p className="flex flex-wrap items-baseline gap-x-2 text-sm text-muted">
                  <span dir="ltr" className="text-ink">
                    {price}
                  </span>
                  {exports > 1 && <span>{t('packs.each', { price: priceEach })}</span>}
                </p>
                {needsNoLogin(offer, choice) && <p className="text-sm text-accent-ink">{t('packs.noLogin')}</p>}
              </div>
              <AppLink
                to={packAddress(offer, choice)}
                onClick={() => onChoose?.(priceId)}
                className={`${buttonClass('quiet', 'small')} min-h-11 shrink-0`}
                aria-label={`${t('packs.buy')}: ${t('packs.name', { count: exports })}`}
              >
                {t('packs.buy')}
              </AppLink>
            </li>
          );
        })}
      </ul>
      <Features offer={CONTENTS} below={null} />
      {isGuest && taskId === null && <p className="text-sm text-muted">{t('packs.loginNeeded')}</p>}
    </li>
  );
}
