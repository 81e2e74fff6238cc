import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../../ui/controls/button';
import { AppLink } from '../../../ui/page/app-link';
import { checkoutAddress, type PackOffer } from './offers';

interface PacksProps {
  readonly packs: readonly PackOffer[];
  readonly taskId: string | null;
  readonly isGuest: boolean;
}

export function Packs({ packs, taskId, isGuest }: PacksProps) {
  const { t } = useTranslation('tiers');
  return (
    <section aria-labelledby="packs" className="flex flex-col gap-5">
      <div className="flex flex-col gap-1">
        <h2 id="packs" className="text-title">
          {t('packs.title')}
        </h2>
        <p className="text-pretty text-muted">{t('packs.lead')}</p>
      </div>
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {packs.map(({ pack, priceId, price, priceEach, exports }) => {
          // Only a single photo's download needs no account.
          const isForGuest = taskId !== null && exports === 1;
          return (
            <li key={pack} className="flex flex-col gap-4 rounded-card bg-well p-5">
              <div className="flex flex-col gap-0.5">
                <h3 className="font-medium">{t('packs.name', { count: exports })}</h3>
                <p className="flex flex-wrap items-baseline gap-x-2">
                  <span className="text-title" dir="ltr">
                    {price}
                  </span>
                  {exports > 1 && <span className="text-sm text-muted">{t('packs.each', { price: priceEach })}</span>}
                </p>
                {isForGuest && isGuest && <p className="text-sm text-accent-ink">{t('packs.noLogin')}</p>}
              </div>
              <AppLink
                to={checkoutAddress(priceId, { taskId: exports === 1 || !isGuest ? taskId : null })}
                className={`mt-auto ${buttonClass('quiet', 'small')}`}
                aria-label={`${t('packs.buy')}: ${t('packs.name', { count: exports })}`}
              >
                {t('packs.buy')}
              </AppLink>
            </li>
          );
        })}
      </ul>
      {isGuest && <p className="text-sm text-muted">{t('packs.loginNeeded')}</p>}
    </section>
  );
}
